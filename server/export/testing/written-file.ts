import { exportColumnSchema } from '@/lib/contract/export'
import type { ExportedLead } from '@/lib/export/export-cells'
import { WORDS } from '@/lib/export/testing/words'
import { type FileContent, type FileFormat, streamExportFile } from '../export-file'

/** Returns the bytes of a file of these leads, by default with every column. */
export async function writeExportFile(
  format: FileFormat,
  leads: readonly ExportedLead[],
  options: Partial<Pick<FileContent, 'columns' | 'encoding'>> = {},
): Promise<Buffer> {
  const read = (index: number) => {
    const lead = leads[index]
    if (lead === undefined) throw new RangeError(`no lead ${index}`)
    return lead
  }
  const content: FileContent = {
    rows: { count: leads.length, read },
    columns: exportColumnSchema.options,
    labels: WORDS,
    delimiter: ';',
    encoding: 'utf-8-bom',
    createUid: (id) => id,
    onWritten: () => undefined,
    ...options,
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of streamExportFile(format, content)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
