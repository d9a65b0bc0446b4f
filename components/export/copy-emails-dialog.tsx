'use client'

import { LazyArea } from '@/components/shell/lazy-area'
import { CopyEmailsForm } from './copy-emails-form'
import type { ExportDialogProps } from './export-dialog'

export type CopyEmailsDialogProps = Pick<ExportDialogProps, 'list' | 'target' | 'count' | 'onClose'>

/** Puts the addresses of leads on the clipboard; an export like any other, and logged as one. */
export function CopyEmailsDialog(props: CopyEmailsDialogProps) {
  return (
    <LazyArea area="export">
      <CopyEmailsForm {...props} />
    </LazyArea>
  )
}
