import 'server-only'
import type { EmailsAnswer, ExportRequest } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import type { Locale } from '@/lib/i18n/locale'
import { stockholmDay } from '@/lib/time/stockholm'
import { jsonResponse } from '@/server/http/responses'
import type { FileFormat } from './export-file'

export type ExportAnswer = { id: string; count: number } & (
  | { format: 'emails'; answer: EmailsAnswer }
  | { format: FileFormat; bytes: ReadableStream<Uint8Array>; estimatedBytes: number }
)

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  vcf: 'text/vcard; charset=utf-8',
}
const CHARSETS = { 'utf-8-bom': 'utf-8', 'utf-8': 'utf-8', 'utf-16le': 'utf-16le', 'windows-1252': 'windows-1252' }

/** An export as a route's answer: a file, or addresses as JSON. `screen`: the language of the screen. */
export function download(result: ExportAnswer, { list, encoding, language }: ExportRequest, screen: Locale): Response {
  const { id, count } = result
  const facts = { 'x-export-id': id, 'x-export-count': String(count) }
  if (result.format === 'emails') return jsonResponse(result.answer, 200, facts)
  const { format, bytes, estimatedBytes } = result
  const day = stockholmDay(Date.now())
  const name = fileName({ list, day, count, format, language: language ?? screen })
  return new Response(bytes, {
    headers: {
      ...facts,
      'x-export-estimated-bytes': String(estimatedBytes),
      'content-type': format === 'csv' ? `${TYPES.csv}; charset=${CHARSETS[encoding]}; header=present` : TYPES[format],
      'content-disposition': `attachment; filename="${name}"`,
      // Compressing would delay the first rows and hide the progress.
      'cache-control': 'private, no-store, no-transform',
    },
  })
}

const names: Record<Locale, Record<LeadList, string>> = {
  sv: { 'asked-questions': 'fragor', 'declarations-of-interest': 'intresseanmalningar' },
  en: { 'asked-questions': 'questions', 'declarations-of-interest': 'declarations' },
}

/** `intresseanmalningar-2026-11-21-1204.xlsx`: list, day and count, in ASCII. */
function fileName(file: { list: LeadList; day: string; count: number; format: FileFormat; language: Locale }): string {
  return `${names[file.language][file.list]}-${file.day}-${file.count}.${file.format}`
}

type Ending = 'finished' | 'broken'

/** Half an hour is enough for 75 000 rows over the slowest line. */
const MOST_MS = 30 * 60_000

/**
 * A stream that pulls its chunks, and calls `ended` once: `finished` after the last one, `broken` when the reader left
 * or stalled, or a chunk failed.
 */
export function trackedStream(chunks: AsyncGenerator<Uint8Array>, ended: (how: Ending) => Promise<void>) {
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = async (how: Ending) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    await ended(how)
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        timer = setTimeout(() => {
          controller.error(new Error('nobody reads this export any more'))
          void chunks.return(undefined)
          void end('broken')
        }, MOST_MS)
        timer.unref()
      },
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (!done) return controller.enqueue(value)
          await end('finished')
          controller.close()
        } catch (error) {
          await end('broken')
          throw error
        }
      },
      cancel: async () => {
        await chunks.return(undefined)
        await end('broken')
      },
    },
    { highWaterMark: 0 },
  )
}
