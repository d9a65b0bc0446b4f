import 'server-only'
import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createTranslator } from 'use-intl/core'
import type { ExportHistoryQuery, ExportRequest } from '@/lib/contract/export'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { contactDetails, createEmailCollector, type ExportWords } from '@/lib/export/export-cells'
import { defaultColumns } from '@/lib/export/export-columns'
import { MOST_ROWS } from '@/lib/export/xlsx'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import type { Session } from '@/server/access/session-cookie'
import { requireProofForMany } from '@/server/access/step-up'
import type { Allowed } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/errors'
import { screenLanguage } from '@/server/http/input'
import type { SchoolParts } from '@/server/leads/high-schools'
import type { SelectedLeads, SelectionParts } from '@/server/leads/select-leads'
import type { KeptKeys } from '@/server/settings/data-key'
import type { Logger } from '@/server/logger'
import type { TriageBoard } from '@/server/triage/triage-board'
import { download, type ExportAnswer, trackedStream } from './download'
import { estimateBytes, type FileContent, type FileFormat, inSlices, writeFile } from './export-file'
import type { ExportLog } from './export-log'
import { type ExportedRows, exportedRows, newSinceLast, type PastExportParts, selectTarget } from './export-selection'

type Parts = SelectionParts &
  SchoolParts &
  PastExportParts & {
    triage: Pick<TriageBoard, 'current' | 'describe' | 'describeAnswers'>
    exportLog: ExportLog
    keptKeys: KeptKeys
    logger: Pick<Logger, 'error'>
    reading: Pick<Reading, 'exported'>
  }
type Exporter = Allowed<'leads:export'>

export function listExports({ exportLog }: Pick<Parts, 'exportLog'>, viewer: Exporter, query: ExportHistoryQuery) {
  return exportLog.history(viewer, query)
}

export async function answerExport(
  parts: Parts & Parameters<typeof requireProofForMany>[0],
  viewer: Exporter,
  request: ExportRequest,
  { session, request: asked }: { session: Session; request: Request },
): Promise<Response> {
  const screen = screenLanguage(asked)
  const agree = (count: number) => requireProofForMany(parts, viewer, session, count)
  return download(await exportLeads(parts, viewer, request, screen, agree), request, screen)
}

/**
 * Exports the leads of a list, logged first. Skips leads that are gone or out of reach. NotFoundError when none is
 * left, ConflictError when their number is not the expected one, InvalidInputError for more than a sheet holds. `agree`
 * may throw before anything is written.
 */
export async function exportLeads(
  parts: Parts,
  viewer: Exporter,
  request: ExportRequest,
  screen: Locale,
  agree: (count: number) => Promise<void> = async () => {},
): Promise<ExportAnswer> {
  const selected = await selectTarget(parts, viewer, request)
  const fresh = request.newOnly ? await newSinceLast(parts, viewer, request, selected) : null
  const chosen = { ...selected, rows: fresh?.rows ?? selected.rows }
  const rows = { ...(await exportedRows(parts, chosen, request)), protected: protectedIn(chosen) }
  if (rows.count === 0) throw new NotFoundError()
  if (rows.count !== (request.expectedCount ?? rows.count)) throw new ConflictError('The number of leads has changed')
  if (request.format === 'xlsx' && rows.count > MOST_ROWS) throw new InvalidInputError('format')
  await agree(rows.count)
  const { format, ...rest } = request
  if (format === 'emails') return copyEmails(parts, viewer, { ...rest, format }, rows)
  return writeLogged(parts, viewer, { ...rest, format }, rows, request.language ?? screen)
}

type FileRows = ExportedRows & { protected: number }

function protectedIn({ table, rows }: SelectedLeads): number {
  return rows.reduce((count, row) => count + (table.protection?.marks.has(row) === true ? 1 : 0), 0)
}

async function writeLogged(
  parts: Parts,
  viewer: Exporter,
  request: ExportRequest & { format: FileFormat },
  rows: FileRows,
  language: Locale,
): Promise<ExportAnswer> {
  const { exportLog, keptKeys, logger } = parts
  const { list, format, delimiter, encoding } = request
  // Address books keep cards by their id.
  const cardId = createCardIds(await keptKeys.get('card ids'))
  let written = 0
  const content: FileContent = {
    rows,
    columns: request.columns ?? defaultColumns(list),
    words: await exportWords(language, list),
    delimiter,
    encoding,
    uid: (leadId) => cardId(LISTS[list].kind, leadId),
    pause: () => setImmediate(),
    onWritten: (count) => (written = count),
  }
  const estimatedBytes = await estimateBytes(format, content)
  const id = await begin(parts, viewer, request, rows)
  const bytes = trackedStream(writeFile(format, content), (state) =>
    exportLog
      .end({ id, state, written })
      .catch((err: unknown) => logger.error({ err, export: id, state }, 'the end of an export could not be logged')),
  )
  return { id, count: rows.count, format, bytes, estimatedBytes }
}

type EmailsRequest = ExportRequest & { format: 'emails' }

async function copyEmails(
  parts: Parts,
  viewer: Exporter,
  request: EmailsRequest,
  rows: FileRows,
): Promise<ExportAnswer> {
  const id = await begin(parts, viewer, request, rows)
  const collector = createEmailCollector()
  const line = (index: number) => {
    collector.add(contactDetails(rows.at(index).lead).email)
    return ''
  }
  // Lines are empty; the slices only pause.
  const slices = inSlices({ count: rows.count, line, pause: () => setImmediate(), onWritten: () => undefined })
  await slices.next()
  await parts.exportLog.end({ id, state: 'finished', written: rows.count })
  return { id, count: rows.count, format: 'emails', answer: collector.finish() }
}

function begin(parts: Parts, viewer: Exporter, request: ExportRequest, rows: FileRows): Promise<string> {
  const { exportLog, scopes, reading } = parts
  const { ids, protected: protectedCount } = rows
  const { list, format, matching, purpose, newOnly } = request
  reading.exported(viewer.id, LISTS[list].kind, ids, purpose)
  const columns = format === 'emails' ? ['email' as const] : format === 'vcf' ? [] : request.columns
  return exportLog.begin(viewer, {
    list,
    format,
    columns: [...new Set(columns ?? defaultColumns(list))],
    scope: scopes.of(request),
    leadIds: ids,
    protectedCount,
    reason: { purpose, matching: matching ?? null, newOnly },
  })
}

async function exportWords(locale: Locale, list: LeadList): Promise<ExportWords> {
  const messages = await loadMessages(locale)
  const t = createTranslator({ locale, messages })
  return {
    column: messages.export.column,
    status: messages.common.status,
    mode: (mode) => (mode === 'email' || mode === 'phone' ? messages.inbox.mode[mode] : mode),
    card: messages.export.card[list],
    sheet: messages.export.list[list],
    nameless: messages.export.nameless,
    starts: cachedByYear((year) => t('export.starts', { year: String(year) })),
    cut: ` ${messages.export.cut}`,
  }
}

function cachedByYear(format: (year: number) => string): (year: number) => string {
  const texts = new Map<number, string>()
  return (year) => {
    const text = texts.get(year) ?? format(year)
    texts.set(year, text)
    return text
  }
}

/** A UUID (version 8, RFC 9562) for a lead's card: always the same under the same key, and disclosing nothing. */
export function createCardIds(key: Uint8Array): (kind: LeadKind, leadId: string) => string {
  return (kind, leadId) => {
    const bytes = createHmac('sha256', key).update(`${kind} ${leadId}`).digest().subarray(0, 16)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
}
