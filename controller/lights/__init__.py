"""From a scene to the bytes a strip gets: layers, looks, gamma, white balance, power limit. Pure."""
