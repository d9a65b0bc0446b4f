import { createHmac } from 'node:crypto'
import { createTranslator } from 'use-intl/core'
import { readContactDetails } from '@/lib/contacts/contact-key'
import type { ExportColumnName, ExportFormat, ExportRequest } from '@/lib/contract/export'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { createEmailCollector } from '@/lib/export/email-collector'
import type { ExportLabels } from '@/lib/export/export-cells'
import { selectDefaultColumns } from '@/lib/export/export-columns'
import { MAX_LEAD_ROWS } from '@/lib/export/xlsx'
import { getOrCreate } from '@/lib/get-or-create'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'
import { toStockholmDay } from '@/lib/time/stockholm'
import type { Exporter } from '@/server/access/viewer'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import { NO_TRANSFORM_HEADERS } from '@/server/base/private-headers'
import { deriveKey } from '@/server/base/seal'
import type { Services } from '@/server/base/services'
import { createPacer } from '@/server/feed/pausable'
import { estimateBytes, type FileContent, streamExportFile } from './export-file'
import { type ExportRows, hashScope, readExportRows, selectNewRows, selectTarget } from './export-selection'
import { createTrackedStream } from './tracked-stream'

const MEDIA_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  vcf: 'text/vcard; charset=utf-8',
}
const FILE_NAME_PREFIXES: Record<Locale, Record<LeadList, string>> = {
  sv: { 'asked-questions': 'fragor', 'declarations-of-interest': 'intresseanmalningar' },
  en: { 'asked-questions': 'questions', 'declarations-of-interest': 'declarations' },
}

/**
 * Prepares the file, then logs the export, then streams, so that an error of the preparation leaves no logged export
 * without an end. Throws NotFoundError without any lead in scope, ConflictError for an unexpected count, and
 * InvalidInputError for too many rows.
 */
export async function exportLeads(services: Services, viewer: Exporter, request: ExportRequest, screenLocale: Locale) {
  const { exportLog, dataKeys, logger, now } = services
  const { list, format, delimiter, encoding, matching = null, purpose, newOnly, language = screenLocale } = request
  const selected = await selectTarget(services, viewer, request)
  const newRows = newOnly ? await selectNewRows(services, viewer, request, selected) : null
  const rows = await readExportRows(services, { ...selected, rows: newRows?.rows ?? selected.rows }, request)
  if (rows.count === 0) throw new NotFoundError()
  const { expectedCount = rows.count, columns = selectDefaultColumns(list) } = request
  if (rows.count !== expectedCount) throw new ConflictError('The number of leads has changed')
  if (format === 'xlsx' && rows.count > MAX_LEAD_ROWS) throw new InvalidInputError('format')
  const logEntry = {
    list,
    format,
    columns: listDisclosedColumns(format, columns),
    scope: hashScope(dataKeys[0], request),
    leadIds: rows.ids,
    reason: { purpose, matching, newOnly },
  }
  const toExportHeaders = (id: string) => ({ 'x-export-id': id, 'x-export-count': String(rows.count) })
  if (format === 'emails') {
    const emails = await collectEmails(rows)
    const id = await exportLog.begin(viewer, logEntry)
    await exportLog.end({ id, state: 'finished', written: rows.count })
    return Response.json(emails, { headers: toExportHeaders(id) })
  }
  const cardKey = deriveKey(dataKeys[0], 'card ids')
  let writtenCount = 0
  const content: FileContent = {
    rows,
    columns,
    labels: await loadExportLabels(language, list),
    delimiter,
    encoding,
    createUid: (leadId) => createCardId(cardKey, LISTS[list].kind, leadId),
    onWritten: (rowCount) => (writtenCount = rowCount),
  }
  const estimatedBytes = await estimateBytes(format, content)
  const id = await exportLog.begin(viewer, logEntry)
  const bytes = createTrackedStream(streamExportFile(format, content), (state) =>
    exportLog
      .end({ id, state, written: writtenCount })
      .catch((err: unknown) => logger.error({ err, export: id, state }, 'the end of an export could not be logged')),
  )
  const charset = encoding === 'utf-8-bom' ? 'utf-8' : encoding
  const name = `${FILE_NAME_PREFIXES[language][list]}-${toStockholmDay(now())}-${rows.count}.${format}`
  return new Response(bytes, {
    headers: {
      ...toExportHeaders(id),
      // Compressing would delay the first rows and hide the progress.
      ...NO_TRANSFORM_HEADERS,
      'x-export-estimated-bytes': String(estimatedBytes),
      'content-type': format === 'csv' ? `${MEDIA_TYPES.csv}; charset=${charset}; header=present` : MEDIA_TYPES[format],
      'content-disposition': `attachment; filename="${name}"`,
    },
  })
}

/** A list of addresses discloses the e-mail alone. A vCard always has the same fields, so no columns are logged. */
function listDisclosedColumns(format: ExportFormat, columns: readonly ExportColumnName[]): ExportColumnName[] {
  if (format === 'emails') return ['email']
  return format === 'vcf' ? [] : [...new Set(columns)]
}

async function collectEmails({ count, read }: ExportRows) {
  const collector = createEmailCollector()
  const pauseWhenDue = createPacer()
  for (let index = 0; index < count; index++) {
    collector.add(readContactDetails(read(index).lead).email)
    await pauseWhenDue()
  }
  return collector.finish()
}

async function loadExportLabels(locale: Locale, list: LeadList): Promise<ExportLabels> {
  const messages = await loadMessages(locale)
  const t = createTranslator({ locale, messages })
  const labelByYear = new Map<number, string>()
  const formatEnrollmentYear = (year: number) =>
    getOrCreate(labelByYear, year, () => t('inbox.filter.start', { year: String(year) }))
  return {
    columnLabels: messages.export.column,
    statusLabels: messages.common.status,
    formatMode: (mode) => (mode === 'email' || mode === 'phone' ? messages.inbox.mode[mode] : mode),
    sheetName: messages.inbox[list].title,
    vCard: { note: messages.export.card[list], nameMissing: messages.inbox.nameMissing, formatEnrollmentYear },
    truncationSuffix: ` ${messages.export.cut}`,
  }
}

/** Makes a UUID (version 8, RFC 9562) that is stable under the same key and discloses nothing of the lead. */
export function createCardId(key: Uint8Array, kind: LeadKind, leadId: string): string {
  const bytes = createHmac('sha256', key).update(`${kind} ${leadId}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
