"""From a scene to the bytes of a strip: layers, looks, gamma, white balance, power limit. Pure."""
