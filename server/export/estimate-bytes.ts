import 'server-only'
import { type FileFormat, type FileOrder, writeFile } from './write-file'

const SAMPLES = 60

/** About how large the file will be, from rows all through it; for a progress bar, which needs no more. */
export async function estimateBytes(format: FileFormat, order: FileOrder): Promise<number> {
  const { count, at } = order.rows
  const samples = Math.min(SAMPLES, count)
  const some = { count: samples, at: (index: number) => at(Math.floor((index * count) / samples)) }
  const withoutRows = await bytesOf(format, { ...order, rows: { ...some, count: 0 } })
  const withSome = await bytesOf(format, { ...order, rows: some })
  return Math.ceil(withoutRows + ((withSome - withoutRows) * count) / samples)
}

async function bytesOf(format: FileFormat, order: FileOrder): Promise<number> {
  let bytes = 0
  for await (const chunk of writeFile(format, { ...order, written: () => undefined })) bytes += chunk.length
  return bytes
}
