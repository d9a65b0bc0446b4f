'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import { useNothingYet } from '@/components/desk/feed-status'
import { lazyDialog, lazyPart } from '@/components/desk/lazy-part'
import { useSchoolFilter } from '@/components/desk/schools'
import { cn } from '@/components/ui/cn'
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

export function SchoolPicker({ highSchools }: SchoolPickerProps) {
  const t = useTranslations('shell.schools')
  return (
    <Popover
      label={t('label')}
      className="w-80"
      trigger={(props) => (
        <SchoolButton {...props} highSchools={highSchools} onPointerEnter={loadAhead} onFocus={loadAhead} />
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

export function SchoolSheet({ highSchools }: SchoolPickerProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <SchoolButton
        highSchools={highSchools}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className="touch:h-11"
      />
      {open && <SchoolSheetDialog highSchools={highSchools} onClose={() => setOpen(false)} />}
    </>
  )
}

function SchoolButton({ highSchools, className, ...rest }: SchoolPickerProps & ComponentProps<'button'>) {
  const t = useTranslations('shell.schools')
  const status = useTranslations('status')
  const [[first, ...others]] = useSchoolFilter()
  const name = highSchools.find(({ id }) => id === first)?.name ?? t('unknown')
  const none = useNothingYet(['high-schools']) ? status('noData') : t('none')
  const all = highSchools.length > 0 ? t('all') : none
  const chosen = others.length === 0 ? name : t('some', { count: others.length + 1 })
  return (
    <button
      {...rest}
      type="button"
      disabled={highSchools.length === 0}
      className={cn(
        'flex h-9 w-full min-w-0 items-center gap-2 rounded-md border border-line bg-panel px-2.5 text-sm font-medium transition-colors hover:bg-hover disabled:text-faint aria-expanded:border-accent',
        className,
      )}
    >
      <span className="truncate">{first === undefined ? all : chosen}</span>
      <span className="tabular ml-auto flex items-center gap-1 text-xs font-normal text-faint">
        <span className="max-[20rem]:hidden">
          {first === undefined && highSchools.length > 1 && highSchools.length}
        </span>
        <ChevronsUpDown className="size-3.5" aria-hidden="true" />
      </span>
    </button>
  )
}
