'use client'

import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { HighSchool } from '@/lib/contract/lead'
import { foldText } from '@/lib/leads/fold-text'
import { useSchoolFilter } from './use-school-filter'

const searchableFrom = 8

type SchoolChoiceProps = { highSchools: readonly HighSchool[]; className?: string }

/** One box to tick for each school; every tick counts at once. */
export function SchoolChoice({ highSchools, className }: SchoolChoiceProps) {
  const t = useTranslations('shell.schools')
  const [chosen, setChosen] = useSchoolFilter()
  const [text, setText] = useState('')
  const wanted = foldText(text.trim())
  const shown = highSchools.filter(({ name }) => foldText(name).includes(wanted))
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])

  return (
    <div className={cn('flex flex-col', className)}>
      {highSchools.length >= searchableFrom && <SearchField text={text} onChange={setText} />}
      <ul className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1 scroll-thin">
        {shown.map(({ id, name }) => (
          <li key={id}>
            <label className="flex min-h-8.5 items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-sm hover:bg-hover has-focus-visible:bg-hover touch:min-h-11">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={() => toggle(id)}
                className="size-4 shrink-0"
              />
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </label>
          </li>
        ))}
      </ul>
      <p role="status" className={cn('px-4 pb-4 text-sm text-mute', shown.length > 0 && 'sr-only')}>
        {shown.length > 0 ? t('some', { count: shown.length }) : t('noMatch')}
      </p>
      <div className="flex items-center justify-between gap-2 border-t border-line-soft py-1.5 pr-1.5 pl-3.5 text-xs text-mute">
        {chosen.length > 0 ? t('some', { count: chosen.length }) : t('all')}
        <Button variant="ghost" size="sm" disabled={chosen.length === 0} onClick={() => setChosen([])}>
          {t('showAll')}
        </Button>
      </div>
    </div>
  )
}

/** A touch screen is not given the focus: its keyboard would cover the schools. */
function SearchField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const t = useTranslations('shell.schools')
  return (
    <label className="flex items-center gap-2 border-b border-line-soft px-3.5 text-faint">
      <Search className="size-4 shrink-0" aria-hidden="true" />
      <input
        type="search"
        autoFocus={window.matchMedia('(pointer: fine)').matches}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        placeholder={t('search')}
        aria-label={t('search')}
        className="h-11 min-w-0 flex-1 bg-transparent text-sm text-ink outline-none touch:text-[1rem]"
      />
    </label>
  )
}
