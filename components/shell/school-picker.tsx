'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'

import { useIsListMissing } from '@/components/desk/feed-status'
import { lazyContent } from '@/components/desk/lazy-part'
import { useSchoolFilter } from '@/components/desk/schools'
import { Popover } from '@/components/ui/popover'
import type { HighSchool } from '@/lib/contract/lead'

const SchoolChoice = lazyContent(async () => (await import('./school-choice')).SchoolChoice)

export function SchoolPicker({ highSchools }: { highSchools: readonly HighSchool[] }) {
  const t = useTranslations('shell.schools')
  const status = useTranslations('status')
  const [[first, ...others]] = useSchoolFilter()
  const name = highSchools.find(({ id }) => id === first)?.name ?? t('unknown')
  const none = useIsListMissing(['high-schools']) ? status('noData') : t('none')
  const all = highSchools.length > 0 ? t('all') : none
  const chosen = others.length === 0 ? name : t('some', { count: others.length + 1 })
  return (
    <Popover
      label={t('label')}
      className="floating-sheet desk:w-80"
      onNear={SchoolChoice.load}
      trigger={(props) => (
        <button {...props} type="button" disabled={highSchools.length === 0} className="school-button">
          <span className="truncate">{first === undefined ? all : chosen}</span>
          <ChevronsUpDown className="ml-auto size-3.5 shrink-0 text-faint" />
        </button>
      )}
    >
      {(close) => <SchoolChoice highSchools={highSchools} close={close} />}
    </Popover>
  )
}
