'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { HighSchool } from '@/lib/contract/lead'
import { foldText } from '@/lib/leads/fold-text'

const SEARCHABLE_FROM = 8

type UsersSchoolListProps = {
  choices: readonly HighSchool[]
  chosen: readonly string[]
  onChosen: (chosen: string[]) => void
}

/** One box to tick for each school; with many there is a search, and all that it finds are ticked at once. */
export function UsersSchoolList({ choices, chosen, onChosen }: UsersSchoolListProps) {
  const t = useTranslations('adminUsers.schools')
  const [text, setText] = useState('')
  const wanted = foldText(text.trim())
  const shown = choices.filter(({ name }) => foldText(name).includes(wanted))
  const toggle = (id: string) =>
    onChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <div>
      {choices.length >= SEARCHABLE_FROM && (
        <input
          type="search"
          value={text}
          aria-label={t('search')}
          placeholder={t('search')}
          onChange={(event) => setText(event.target.value)}
          // The form around it is sent by its own button only.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          className="h-9 w-full border-b border-line-soft bg-transparent px-3 text-sm focus-visible:-outline-offset-2 touch:h-11 touch:text-[1rem]"
        />
      )}
      <ul className="max-h-48 overflow-y-auto overscroll-contain p-1 scroll-thin">
        {shown.map(({ id, name }) => (
          <li key={id}>
            <label className="flex min-h-8 items-center gap-2.5 rounded-sm px-2 py-1 text-sm hover:bg-hover has-focus-visible:bg-hover touch:min-h-11">
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
      {shown.length === 0 && <p className="px-3 pb-3 text-sm text-mute">{t('noMatch')}</p>}
      <Foot
        count={chosen.length}
        onAll={() => onChosen([...new Set([...chosen, ...shown.map(({ id }) => id)])])}
        onNone={() => onChosen([])}
      />
    </div>
  )
}

function Foot({ count, onAll, onNone }: { count: number; onAll: () => void; onNone: () => void }) {
  const t = useTranslations('adminUsers.schools')
  return (
    <div className="flex items-center gap-1 border-t border-line-soft py-1 pr-1 pl-3 text-xs text-mute">
      <span role="status" className="flex-1">
        {t('chosen', { count })}
      </span>
      <Button variant="ghost" size="sm" onClick={onAll}>
        {t('chooseShown')}
      </Button>
      <Button variant="ghost" size="sm" disabled={count === 0} onClick={onNone}>
        {t('clear')}
      </Button>
    </div>
  )
}
