import 'server-only'
import type { ExportRequest } from '@/lib/contract/export'
import { exportFileName } from '@/lib/export/export-file-name'
import type { Locale } from '@/lib/i18n/locale'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { jsonResponse } from '@/server/http/json-response'
import type { ExportAnswer } from './export-leads'

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  vcf: 'text/vcard; charset=utf-8',
}
const CHARSETS = { 'utf-8-bom': 'utf-8', 'utf-8': 'utf-8', 'utf-16le': 'utf-16le', 'windows-1252': 'windows-1252' }

/** An export as the answer of a route: a file to save, or addresses as JSON. */
export function download(result: ExportAnswer, { list, encoding, language }: ExportRequest, screen: Locale): Response {
  const { id, count } = result
  const facts = { 'x-export-id': id, 'x-export-count': String(count) }
  if (result.format === 'emails') return jsonResponse(result.answer, 200, facts)
  const { format, bytes, estimatedBytes } = result
  const day = stockholmDay(Date.now())
  const name = exportFileName({ list, day, count, format, language: language ?? screen })
  return new Response(bytes, {
    headers: {
      ...facts,
      'x-export-estimated-bytes': String(estimatedBytes),
      'content-type': format === 'csv' ? `${TYPES.csv}; charset=${CHARSETS[encoding]}; header=present` : TYPES[format],
      'content-disposition': `attachment; filename="${name}"`,
      // Compressing on the way would hold back the first rows, and hide from the browser how far it has come.
      'cache-control': 'private, no-store, no-transform',
    },
  })
}
