'use client'

import { LazyArea } from '@/components/shell/lazy-area'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Sort } from '@/lib/contract/list-query'
import type { Matching } from '@/lib/contract/triage'
import { ExportForm } from './export-form'

export type ExportDialogProps = {
  list: LeadList
  target: { leads: LeadRef[] } | { matching: Matching }
  /** As the button said that opened it; counted anew here. */
  count: number
  onClose: () => void
  /** The order of the rows; newest first without it. */
  sort?: Sort | undefined
  /** Offers what is new since the last export first. */
  newFirst?: boolean | undefined
}

/** Everything between "export these" and a file. */
export function ExportDialog(props: ExportDialogProps) {
  return (
    <LazyArea area="export">
      <ExportForm {...props} />
    </LazyArea>
  )
}
