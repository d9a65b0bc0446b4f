'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNothingYet } from '@/components/desk/feed-status'
import { lazyDialog, lazyPart } from '@/components/desk/lazy-part'
import { useSchoolFilter } from '@/components/desk/schools'
import { Spinner } from '@/components/ui/loading'
import { Popover } from '@/components/ui/popover'
import type { HighSchool } from '@/lib/contract/lead'

const SchoolChoice = lazyPart(
  async () => (await import('./school-choice')).SchoolChoice,
  <Spinner className="m-4 size-4 text-faint" />,
)
const SchoolSheetDialog = lazyDialog(async () => (await import('./school-choice')).SchoolSheetDialog)
const loadAhead = () => void SchoolChoice.load()

type SchoolPickerProps = { highSchools: readonly HighSchool[] }

const triggerClass =
  'flex h-9 w-full min-w-0 items-center gap-2 rounded-md border border-line bg-panel px-2.5 text-sm font-medium transition-colors hover:bg-hover disabled:text-faint aria-expanded:border-accent'

/** Beside the menu: a popover. */
export function SchoolPicker({ highSchools }: SchoolPickerProps) {
  const t = useTranslations('shell.schools')
  const [chosen] = useSchoolFilter()
  return (
    <Popover
      label={t('label')}
      className="w-80"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          disabled={highSchools.length === 0}
          onPointerEnter={loadAhead}
          onFocus={loadAhead}
          className={triggerClass}
        >
          <Chosen highSchools={highSchools} chosen={chosen} />
        </button>
      )}
    >
      {() => (
        <div>
          <SchoolChoice highSchools={highSchools} className="max-h-[min(28rem,70dvh)]" />
        </div>
      )}
    </Popover>
  )
}

/** On a phone: a sheet from below. */
export function SchoolSheet({ highSchools }: SchoolPickerProps) {
  const [chosen] = useSchoolFilter()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        disabled={highSchools.length === 0}
        onClick={() => setOpen(true)}
        className={`${triggerClass} touch:h-11`}
      >
        <Chosen highSchools={highSchools} chosen={chosen} />
      </button>
      {open && <SchoolSheetDialog highSchools={highSchools} onClose={() => setOpen(false)} />}
    </>
  )
}

function Chosen({ highSchools, chosen }: SchoolPickerProps & { chosen: readonly string[] }) {
  const t = useTranslations('shell.schools')
  const [first] = chosen
  const name = highSchools.find(({ id }) => id === first)?.name ?? t('unknown')
  const status = useTranslations('status')
  const isNothingYet = useNothingYet(['high-schools'])
  const none = isNothingYet ? status('noData') : t('none')
  const all = highSchools.length > 0 ? t('all') : none
  return (
    <>
      <span className="truncate">
        {first === undefined ? all : chosen.length === 1 ? name : t('some', { count: chosen.length })}
      </span>
      <span className="tabular ml-auto flex items-center gap-1 text-xs font-normal text-faint">
        <span className="max-[20rem]:hidden">
          {first === undefined && highSchools.length > 1 && highSchools.length}
        </span>
        <ChevronsUpDown className="size-3.5" aria-hidden="true" />
      </span>
    </>
  )
}
