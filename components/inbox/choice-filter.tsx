'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { FilterChip } from './filter-chip'

export type Choice<Value> = { value: Value; label: string; icon?: ReactNode }

type ChoiceFilterProps<Value> = {
  name: string
  choices: readonly Choice<Value>[]
  chosen: readonly Value[]
  onChange: (chosen: Value[] | null) => void
  /** How the chip names one choice, where the name alone would not say what it is of. */
  chipLabel?: (value: Value) => string
}

/** A filter that takes any of several values. */
export function ChoiceFilter<Value extends string | number>(props: ChoiceFilterProps<Value>) {
  const { name, choices, chosen, onChange } = props
  const toggle = (value: Value) => {
    const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
    onChange(next.length === 0 ? null : next)
  }
  return (
    <FilterChip name={name} value={useChipText(props)} onClear={() => onChange(null)}>
      {() => (
        <fieldset className="min-w-44">
          <legend className="sr-only">{name}</legend>
          {choices.map(({ value, label, icon }) => (
            <label
              key={value}
              className="flex min-h-8 items-center gap-2.5 rounded-sm px-2.5 text-sm hover:bg-hover has-focus-visible:bg-hover touch:min-h-11"
            >
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
                className="size-3.5"
              />
              {icon}
              <span className="tabular">{label}</span>
            </label>
          ))}
        </fieldset>
      )}
    </FilterChip>
  )
}

function useChipText<Value extends string | number>({
  choices,
  chosen,
  chipLabel,
}: ChoiceFilterProps<Value>): string | null {
  const t = useTranslations('inbox.filter')
  const [first] = chosen
  if (first === undefined) return null
  const label = chipLabel?.(first) ?? choices.find(({ value }) => value === first)?.label ?? String(first)
  return chosen.length === 1 ? label : t('more', { first: label, count: String(chosen.length - 1) })
}
