// Reads an MCAP file as a viewer does, by its index where it has one, and holds each message against
// the schema that is published for it, or else the one in the file. Prints what it found as JSON.
//     node viewer.js FILE
import { open } from "node:fs/promises";
import schemas from "@foxglove/schemas/jsonschema.js";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import Ajv from "ajv";
import { decompress } from "fzstd";

const file = await open(process.argv[2]);
const readable = {
  size: async () => BigInt((await file.stat()).size),
  read: async (offset, length) => {
    const bytes = new Uint8Array(Number(length));
    await file.read(bytes, 0, bytes.length, Number(offset));
    return bytes;
  },
};
const decompressHandlers = {
  zstd: (packed, size) => decompress(packed, new Uint8Array(Number(size))),
};
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });

// Without an index viewers read a file from its beginning.
async function* streamed() {
  const stream = new McapStreamReader({ decompressHandlers });
  stream.append(await readable.read(0n, await readable.size()));
  for (let record; (record = stream.nextRecord()); ) if (record.type === "Message") yield record;
}
const messages = reader.chunkIndexes.length ? reader.readMessages() : streamed();

const text = (bytes) => new TextDecoder().decode(bytes);
const ajv = new Ajv({ strict: false });
const checks = new Map();
for (const { id, name, data } of reader.schemasById.values()) {
  const published = schemas[name.replace("foxglove.", "")];
  checks.set(id, ajv.compile(published ?? JSON.parse(text(data))));
}
const found = { topics: {}, indexed: reader.chunkIndexes.length > 0, wrong: [] };
for await (const { channelId, data } of messages) {
  const { topic, schemaId } = reader.channelsById.get(channelId);
  const check = checks.get(schemaId);
  if (!check(JSON.parse(text(data)))) found.wrong.push([topic, check.errors]);
  found.topics[topic] ??= { schema: reader.schemasById.get(schemaId).name, messages: 0 };
  found.topics[topic].messages += 1;
}
console.log(JSON.stringify(found));
