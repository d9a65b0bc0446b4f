import type { ExportLabels } from '@/lib/export/export-cells'
import common from '@/lib/i18n/messages/sv/common.json' with { type: 'json' }
import words from '@/lib/i18n/messages/sv/export.json' with { type: 'json' }

export const WORDS: ExportLabels = {
  columnLabels: words.column,
  statusLabels: common.status,
  formatMode: (mode) => (mode === 'email' ? 'E-post' : mode === 'phone' ? 'Telefon' : mode),
  sheetName: 'Intresseanmälningar',
  vCard: { note: 'Intresseanmälan', nameMissing: 'Namn saknas', formatEnrollmentYear: (year) => `Startår ${year}` },
  truncationSuffix: ' … [avkortat]',
}
