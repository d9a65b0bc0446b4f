'use client'

import { Search, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import { Kbd } from '@/components/ui/kbd'
import type { LeadList } from '@/lib/contract/lead'

type SearchFieldProps = {
  list: LeadList
  value: string
  field: RefObject<HTMLInputElement | null>
  onChange: (text: string) => void
  /** Enter or arrow down: on to the list. */
  onLeave: () => void
}

export function SearchField({ list, value, field, onChange, onLeave }: SearchFieldProps) {
  const t = useTranslations('inbox')
  return (
    <div className="flex h-9 items-center gap-2 rounded-md border border-line bg-bg pr-1.5 pl-2.5 text-faint transition-colors focus-within:border-accent focus-within:outline-1 focus-within:outline-accent touch:h-11">
      <Search aria-hidden className="size-4 shrink-0" />
      <input
        ref={field}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label={t(`${list}.search`)}
        aria-keyshortcuts="/"
        placeholder={t(`${list}.search`)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.preventDefault()
            onChange('')
          } else if (event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'Escape') {
            event.preventDefault()
            onLeave()
          }
        }}
        className="min-w-0 flex-1 bg-transparent text-base text-ink outline-none touch:text-[1rem] [&::-webkit-search-cancel-button]:hidden"
      />
      {value === '' ? (
        <Kbd>/</Kbd>
      ) : (
        <button
          type="button"
          aria-label={t('clearSearch')}
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
          className="grid size-6 place-items-center rounded-sm hover:bg-hover hover:text-ink touch:size-9"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  )
}
