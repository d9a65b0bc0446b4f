import type { ExportColumnName } from '@/lib/contract/export'
import type { LeadStatus } from '@/lib/contract/lead'

/** The words that stand in a file, in the language it was asked for in. */
export type ExportWords = {
  column: Readonly<Record<ExportColumnName, string>>
  status: Readonly<Record<LeadStatus, string>>
  /** A way of contact we have no word for is written as the service says it. */
  mode: (mode: string) => string
  /** The name of the sheet: at most 31 characters, none of `[]:*?/\`. */
  sheet: string
  /** What a card says it came from. */
  card: string
  /** A card for somebody without name, e-mail and phone. */
  nameless: string
  starts: (year: number) => string
  /** What ends a text that a cell could not hold. */
  cut: string
}
