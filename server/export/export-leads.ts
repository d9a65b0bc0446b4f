import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { createTranslator } from 'use-intl/core'
import type { ExportHistory, ExportHistoryQuery, ExportRequest } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { createEmailCollector } from '@/lib/export/email-addresses'
import { contactDetails, type ExportWords } from '@/lib/export/export-cells'
import { defaultColumns } from '@/lib/export/export-columns'
import { MOST_ROWS } from '@/lib/export/xlsx'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import type { Session } from '@/server/access/session-cookie'
import { requireProofForMany } from '@/server/access/step-up'
import type { Allowed } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/errors'
import { screenLanguage } from '@/server/http/screen-language'
import type { SchoolParts } from '@/server/leads/high-schools'
import type { SelectedLeads, SelectionParts } from '@/server/leads/select-leads'
import type { KeptKeys } from '@/server/settings/kept-keys'
import type { Logger } from '@/server/logger'
import type { TriageBoard } from '@/server/triage/triage-board'
import { createCardIds } from './card-ids'
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

/** The viewer's own, newest first. */
export function listExports(
  { exportLog }: Pick<Parts, 'exportLog'>,
  viewer: Exporter,
  query: ExportHistoryQuery,
): Promise<ExportHistory> {
  return exportLog.history(viewer, query)
}

/** The file as an answer; of many leads only after a proof. */
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
 * Writes the leads of a list to a file, after the log knows of it. Leads that are gone or out of reach are passed over;
 * NotFoundError when none is left, ConflictError when there are not as many as expected, InvalidInputError when there are
 * more than a sheet holds. `screen` is the language where the request names none; `agree` is asked about the number of leads
 * before anything is written, and throws where they are too many.
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

/** With how many of them are of persons with a protected identity. */
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
  // Cards lie in people's address books, where another id would be another person.
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

async function copyEmails(
  parts: Parts,
  viewer: Exporter,
  request: ExportRequest & { format: 'emails' },
  rows: FileRows,
): Promise<ExportAnswer> {
  const id = await begin(parts, viewer, request, rows)
  const collector = createEmailCollector()
  const line = (index: number) => {
    collector.add(contactDetails(rows.at(index).lead).email)
    return ''
  }
  // Every line is empty: the slices only let other work have its turn.
  const slices = inSlices({ count: rows.count, line, pause: () => setImmediate(), onWritten: () => undefined })
  await slices.next()
  await parts.exportLog.end({ id, state: 'finished', written: rows.count })
  return { id, count: rows.count, format: 'emails', answer: collector.finish() }
}

function begin(
  { exportLog, scopes, reading }: Parts,
  viewer: Exporter,
  request: ExportRequest,
  { ids, protected: protectedCount }: FileRows,
): Promise<string> {
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

/** The words of a file: the same as on the screen in that language. */
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

/** Thousands of cards share a handful of years. */
function cachedByYear(format: (year: number) => string): (year: number) => string {
  const texts = new Map<number, string>()
  return (year) => {
    const text = texts.get(year) ?? format(year)
    texts.set(year, text)
    return text
  }
}
