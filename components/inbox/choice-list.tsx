'use client'

import { useTranslations } from 'next-intl'
import { useState, type ReactNode } from 'react'
import { foldText } from '@/lib/leads/fold-text'

export type Choice<Value> = { value: Value; label: string; icon?: ReactNode }

type ChoiceListProps<Value> = {
  name: string
  choices: readonly Choice<Value>[]
  /** How many leads each would show; one that is missing shows none. Undefined until they are counted. */
  counts: Readonly<Record<string, number>> | undefined
  chosen: readonly Value[]
  onChange: (chosen: Value[] | null) => void
}

const SEARCHABLE_FROM = 9

/** The choices of a filter that takes any of several values, each with how many leads it would show. */
export function ChoiceList<Value extends string | number>({
  name,
  choices,
  counts,
  chosen,
  onChange,
}: ChoiceListProps<Value>) {
  const t = useTranslations('inbox')
  const [text, setText] = useState('')
  const wanted = foldText(text.trim())
  const shown = choices.filter(({ label }) => foldText(label).includes(wanted))
  const toggle = (value: Value) => {
    const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
    onChange(next.length === 0 ? null : next)
  }
  return (
    <fieldset className="flex max-h-[min(26rem,60dvh)] max-w-80 min-w-48 flex-col">
      <legend className="sr-only">{name}</legend>
      {choices.length >= SEARCHABLE_FROM && <FindField text={text} onChange={setText} />}
      <div className="scroll-thin min-h-0 overflow-y-auto overscroll-contain">
        {shown.map(({ value, label, icon }) => (
          <label
            key={value}
            className="flex min-h-8 items-center gap-2.5 rounded-sm px-2.5 text-sm hover:bg-hover has-focus-visible:bg-hover touch:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
              className="size-3.5 shrink-0"
            />
            {icon}
            <span className="tabular min-w-0 flex-1 truncate">{label}</span>
            {counts !== undefined && <Count count={counts[String(value)] ?? 0} />}
          </label>
        ))}
        {shown.length === 0 && <p className="px-2.5 py-2 text-sm text-mute">{t('filter.notFound')}</p>}
      </div>
    </fieldset>
  )
}

function Count({ count }: { count: number }) {
  const t = useTranslations('inbox')
  return <span className="tabular pl-3 text-xs text-faint">{t('total', { count })}</span>
}

/** A touch screen is not given the focus: its keyboard would cover the choices. */
function FindField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const t = useTranslations('inbox.filter')
  return (
    <input
      type="search"
      autoFocus={window.matchMedia('(pointer: fine)').matches}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      placeholder={t('find')}
      aria-label={t('find')}
      className="mb-1 h-8.5 shrink-0 border-b border-line-soft bg-transparent px-2.5 text-sm outline-none touch:h-11 touch:text-[1rem]"
    />
  )
}
