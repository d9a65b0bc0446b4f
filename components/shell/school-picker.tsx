'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useIsListMissing } from '@/components/app/feed-status'
import { lazyPopoverContent } from '@/components/app/lazy-part'
import { useSchoolFilter } from '@/components/app/schools'
import { Button } from '@/components/ui/button'
import { Popover } from '@/components/ui/popover'
import type { HighSchool } from '@/lib/contract/lead'

const SchoolChoices = lazyPopoverContent(async () => (await import('@/components/ui/choice-list')).ChoiceList<string>)

export function SchoolPicker({ highSchools }: { highSchools: readonly HighSchool[] }) {
  const t = useTranslations('shell.schools')
  const tStatus = useTranslations('status')
  const [chosenIds, setChosenIds] = useSchoolFilter()
  const chosenCount = chosenIds.length
  const isListMissing = useIsListMissing(['high-schools'])
  const describeChoice = () => {
    if (chosenCount > 1) return t('some', { count: chosenCount })
    if (chosenCount === 1) return highSchools.find(({ id }) => id === chosenIds[0])?.name ?? t('unknown')
    if (highSchools.length > 0) return t('all')
    return isListMissing ? tStatus('noData') : t('none')
  }
  return (
    <Popover
      label={t('label')}
      className="floating-sheet desk:w-80"
      trigger={(props) => (
        <button {...props} type="button" disabled={highSchools.length === 0} className="school-button">
          <span className="truncate">{describeChoice()}</span>
          <ChevronsUpDown className="ml-auto size-3.5 shrink-0 text-faint" />
        </button>
      )}
    >
      {(close) => (
        <SchoolChoices
          variant="panel"
          className="max-h-[min(28rem,70dvh)]"
          choices={highSchools.map((school) => ({ value: school.id, label: school.name }))}
          chosen={chosenIds}
          onChange={setChosenIds}
          searchLabel={t('search')}
          footer={
            <div className="flex items-center justify-between gap-2 border-t border-line-soft py-1.5 pr-1.5 pl-3.5 text-xs text-mute">
              {chosenCount > 0 ? t('some', { count: chosenCount }) : t('all')}
              <Button
                text={t('showAll')}
                variant="ghost"
                size="sm"
                disabled={chosenCount === 0}
                onClick={() => setChosenIds([])}
              />
              <Button text={t('done')} variant="primary" className="desk:hidden" onClick={close} />
            </div>
          }
        />
      )}
    </Popover>
  )
}
