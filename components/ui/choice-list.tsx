import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { foldText } from '@/lib/leads/comparable-text'
import { cn } from './cn'

export type Choice<Value> = { value: Value; label: string; icon?: ReactNode; note?: ReactNode }

type ChoiceListProps<Value> = {
  choices: readonly Choice<Value>[]
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
  legend?: string
  searchLabel: string
  /** `filter` floats under a chip, `panel` fills a popover or sheet of its own, `form` is one field of a form. */
  variant?: keyof typeof variants
  /** From this number of choices on there is a search field. */
  searchableFrom?: number
  className?: string
  footer?: ReactNode
}

export function ChoiceList<Value extends string | number>(props: ChoiceListProps<Value>) {
  const { choices, chosen, onChange, legend, searchLabel, searchableFrom = 8, className, footer } = props
  const { variant = 'filter' } = props
  const { text, setText, matches } = useTextSearch(choices, ({ label }) => label)
  const Frame = legend === undefined ? 'div' : 'fieldset'
  const isEmpty = matches.length === 0
  const matchText = useTranslations('common')('matches', { count: matches.length })
  const toggle = (value: Value) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])
  return (
    <Frame className={cn(variants[variant], className)}>
      {legend !== undefined && <legend className="sr-only">{legend}</legend>}
      {choices.length >= searchableFrom && (
        <label className="flex shrink-0 items-center border-b border-line-soft text-faint focus-within:border-accent">
          <Search className="ml-3 size-4 shrink-0" />
          <input
            type="search"
            // The field is not focused on a touch screen, where the keyboard would cover the choices.
            autoFocus={variant !== 'form' && window.matchMedia('(pointer: fine)').matches}
            value={text}
            onChange={(event) => setText(event.target.value)}
            // Enter is swallowed, because it would send the form around this field.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            placeholder={searchLabel}
            aria-label={searchLabel}
            className="h-9 min-w-0 flex-1 bg-transparent px-2 text-sm text-ink outline-none touch:h-11 touch:text-[1rem]"
          />
        </label>
      )}
      <ul className="scroll-thin min-h-0 flex-auto overflow-y-auto overscroll-contain p-1">
        {matches.map(({ value, label, icon, note }) => (
          <li key={value}>
            <label className="flex min-h-8 items-center gap-2.5 rounded-sm px-2.5 py-1 text-sm hover:bg-hover has-focus-visible:bg-hover touch:min-h-11">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
                className="size-4 shrink-0"
              />
              {icon}
              <span className="tabular min-w-0 flex-1 wrap-anywhere">{label}</span>
              {note !== undefined && <span className="tabular pl-3 text-xs text-faint">{note}</span>}
            </label>
          </li>
        ))}
      </ul>
      <p role="status" className={isEmpty ? 'px-3 pt-1 pb-3 text-sm text-mute' : 'sr-only'}>
        {(isEmpty || text !== '') && matchText}
      </p>
      {footer}
    </Frame>
  )
}

export function useTextSearch<Item>(items: readonly Item[], toText: (item: Item) => string) {
  const [text, setText] = useState('')
  const foldedSearch = foldText(text.trim())
  return { text, setText, matches: items.filter((item) => foldText(toText(item)).includes(foldedSearch)) }
}

const variants = {
  filter: 'flex max-h-[min(26rem,60dvh)] max-w-80 min-w-48 flex-col',
  panel: 'flex flex-col',
  form: '[&>ul]:max-h-48',
}
