'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import type { HighSchool } from '@/lib/contract/lead'
import { SchoolChoice } from './school-choice'

type SchoolSheetDialogProps = { highSchools: readonly HighSchool[]; onClose: () => void }

/** The schools to choose from, in a sheet from below. */
export function SchoolSheetDialog({ highSchools, onClose }: SchoolSheetDialogProps) {
  const t = useTranslations('shell.schools')
  return (
    <Dialog open onClose={onClose} title={t('label')} shape="sheet">
      <SchoolChoice highSchools={highSchools} className="max-h-[60dvh]" />
      <div className="border-t border-line-soft p-3">
        <Button variant="primary" size="lg" className="w-full" onClick={onClose}>
          {t('done')}
        </Button>
      </div>
    </Dialog>
  )
}
