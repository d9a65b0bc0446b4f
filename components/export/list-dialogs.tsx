import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { CopyEmailsDialog } from './copy-emails-dialog'
import { ExportDialog, type ExportDialogProps } from './export-dialog'

type OfList = Pick<ExportDialogProps, 'list' | 'target' | 'count'>
type ListDialogsProps = Pick<ExportDialogProps, 'sort' | 'onClose'> & {
  is: 'export' | 'copy-emails'
  of: readonly OfList[]
}

/** What leaves Intag is of one list. Of both, the user says first which. */
export function ListDialogs({ is, of, sort, onClose }: ListDialogsProps) {
  const t = useTranslations('export.ofBoth')
  const [chosen, choose] = useState(of.length === 1 ? of[0] : undefined)
  if (chosen === undefined) {
    return (
      <Dialog onClose={onClose} title={t('title')}>
        <div className="flex flex-wrap gap-2 px-5 pt-1 pb-5">
          {of.map((one) => (
            <Button key={one.list} onClick={() => choose(one)}>
              {t(one.list, { count: one.count })}
            </Button>
          ))}
        </div>
      </Dialog>
    )
  }
  return is === 'export' ? (
    <ExportDialog {...chosen} sort={sort} onClose={onClose} />
  ) : (
    <CopyEmailsDialog {...chosen} onClose={onClose} />
  )
}
