import 'server-only'
import { setImmediate } from 'node:timers/promises'
import type { EmailsAnswer, ExportRequest } from '@/lib/contract/export'
import { defaultColumns } from '@/lib/export/export-columns'
import { contactOf } from '@/lib/export/export-cells'
import { createEmailCollector } from '@/lib/export/usable-email'
import { MOST_ROWS } from '@/lib/export/xlsx-sheet'
import type { Locale } from '@/lib/i18n/locale'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/errors'
import { services } from '@/server/services'
import { estimateBytes } from './estimate-bytes'
import { type ExportedRows, exportedRows } from './exported-rows'
import { exportWords } from './export-words'
import { inSlices } from './in-slices'
import { newSinceLast, selectTarget } from './selected-for-export'
import { trackedStream } from './tracked-stream'
import { type FileFormat, type FileOrder, writeFile } from './write-file'

type Logged = { id: string; count: number }
export type ExportAnswer = Logged &
  (
    | { format: 'emails'; answer: EmailsAnswer }
    | { format: FileFormat; bytes: ReadableStream<Uint8Array>; estimatedBytes: number }
  )

/**
 * Writes the leads of a list to a file, after the log knows of it. Leads that are gone or out of reach are passed over;
 * NotFoundError when none is left, ConflictError when
 * there are not as many as expected, InvalidInputError when there are more than a sheet holds.
 */
export async function exportLeads(viewer: Viewer, request: ExportRequest, screen: Locale): Promise<ExportAnswer> {
  requirePermission(viewer, 'leads:export')
  const selected = await selectTarget(viewer, request)
  const chosen = request.newOnly ? await newSinceLast(viewer, request, selected) : null
  const rows = await exportedRows({ ...selected, rows: chosen?.rows ?? selected.rows }, request.sort)
  if (rows.count === 0) throw new NotFoundError()
  if (rows.count !== (request.expectedCount ?? rows.count)) throw new ConflictError('The number of leads has changed')
  if (request.format === 'xlsx' && rows.count > MOST_ROWS) throw new InvalidInputError('format')
  const { format, ...rest } = request
  if (format === 'emails') return copyEmails(viewer, { ...rest, format }, rows)
  return writeLogged(viewer, { ...rest, format }, rows, request.language ?? screen)
}

async function writeLogged(
  viewer: Viewer,
  request: ExportRequest & { format: FileFormat },
  rows: ExportedRows,
  language: Locale,
): Promise<ExportAnswer> {
  const { exportLog, cardId, logger } = services()
  const { list, format, delimiter, encoding } = request
  const kind = list === 'asked-questions' ? 'asked-question' : 'declaration-of-interest'
  const progress = { written: 0 }
  const order: FileOrder = {
    rows,
    columns: request.columns ?? defaultColumns(list),
    words: await exportWords(language, list),
    delimiter,
    encoding,
    uid: (leadId) => cardId(kind, leadId),
    rest: () => setImmediate(),
    written: (count) => (progress.written = count),
  }
  const estimatedBytes = await estimateBytes(format, order)
  const id = await begin(viewer, request, rows)
  const bytes = trackedStream(writeFile(format, order), (state) =>
    exportLog
      .end({ id, userId: viewer.id, state, written: progress.written })
      .catch((err: unknown) => logger.error({ err, export: id, state }, 'the end of an export could not be logged')),
  )
  return { id, count: rows.count, format, bytes, estimatedBytes }
}

async function copyEmails(
  viewer: Viewer,
  request: ExportRequest & { format: 'emails' },
  rows: ExportedRows,
): Promise<ExportAnswer> {
  const id = await begin(viewer, request, rows)
  const collector = createEmailCollector()
  const line = (index: number) => {
    collector.add(contactOf(rows.at(index).lead).email)
    return ''
  }
  const slices = inSlices({ count: rows.count, line, rest: () => setImmediate(), written: () => undefined })
  await slices.next()
  await services().exportLog.end({ id, userId: viewer.id, state: 'finished', written: rows.count })
  return { id, count: rows.count, format: 'emails', answer: collector.finish() }
}

function begin(viewer: Viewer, request: ExportRequest, { ids }: ExportedRows): Promise<string> {
  const { list, format, matching, purpose, newOnly } = request
  const columns = format === 'emails' ? ['email' as const] : format === 'vcf' ? [] : request.columns
  return services().exportLog.begin({
    userId: viewer.id,
    list,
    format,
    columns: [...new Set(columns ?? defaultColumns(list))],
    scope: services().scopeOf(request),
    leadIds: ids,
    reason: { purpose, matching: matching ?? null, newOnly },
  })
}
