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
  name?: string
  /** `found`, where given, is read aloud with the number that a search leaves. */
  words: { find: string; found?: (count: number) => string }
  /** `filter` floats under a chip, `panel` fills a popover or sheet of its own, `form` is one field of a form. */
  look?: keyof typeof looks
  searchableFrom?: number
  className?: string
  foot?: ReactNode
}

export function ChoiceList<Value extends string | number>(props: ChoiceListProps<Value>) {
  const { choices, chosen, onChange, name, words, look = 'filter', searchableFrom = 8, className, foot } = props
  const { text, setText, shown } = useTextSearch(choices, ({ label }) => label)
  const classes = looks[look]
  const Frame = name === undefined ? 'div' : 'fieldset'
  const isMissing = shown.length === 0
  const none = useTranslations('common')('noMatch')
  const toggle = (value: Value) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])
  return (
    <Frame className={cn(classes.frame, className)}>
      {name !== undefined && <legend className="sr-only">{name}</legend>}
      {choices.length >= searchableFrom && (
        <label
          className={cn('flex shrink-0 items-center border-b border-line-soft text-faint', look === 'filter' && 'mb-1')}
        >
          {look === 'panel' && <Search className="ml-3.5 size-4 shrink-0" />}
          <input
            type="search"
            // A touch screen is not given the focus: its keyboard would cover the choices.
            autoFocus={look !== 'form' && window.matchMedia('(pointer: fine)').matches}
            value={text}
            onChange={(event) => setText(event.target.value)}
            // A form around it is sent by its own button only.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            placeholder={words.find}
            aria-label={words.find}
            className={cn('min-w-0 flex-1 bg-transparent text-sm text-ink touch:h-11 touch:text-[1rem]', classes.find)}
          />
        </label>
      )}
      <ul className={cn('scroll-thin overflow-y-auto overscroll-contain', classes.list)}>
        {shown.map(({ value, label, icon, note }) => (
          <li key={value}>
            <label className={classes.row}>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
                className={cn('shrink-0', classes.box)}
              />
              {icon}
              <span className={classes.label}>{label}</span>
              {note !== undefined && <span className="tabular pl-3 text-xs text-faint">{note}</span>}
            </label>
          </li>
        ))}
      </ul>
      {words.found !== undefined ? (
        <p role="status" className={cn(classes.none, !isMissing && 'sr-only')}>
          {isMissing ? none : words.found(shown.length)}
        </p>
      ) : (
        isMissing && <p className={classes.none}>{none}</p>
      )}
      {foot}
    </Frame>
  )
}

export function useTextSearch<Item>(items: readonly Item[], textOf: (item: Item) => string) {
  const [text, setText] = useState('')
  const wanted = foldText(text.trim())
  return { text, setText, shown: items.filter((item) => foldText(textOf(item)).includes(wanted)) }
}

const row = 'flex items-center gap-2.5 rounded-sm text-sm hover:bg-hover has-focus-visible:bg-hover touch:min-h-11'

const looks = {
  filter: {
    frame: 'flex max-h-[min(26rem,60dvh)] max-w-80 min-w-48 flex-col',
    find: 'h-8.5 px-2.5 outline-none',
    list: 'min-h-0',
    row: `${row} min-h-8 px-2.5`,
    box: 'size-3.5',
    label: 'tabular min-w-0 flex-1 truncate',
    none: 'px-2.5 py-2 text-sm text-mute',
  },
  panel: {
    frame: 'flex flex-col',
    find: 'h-11 px-2 outline-none',
    list: 'min-h-0 flex-auto p-1',
    row: `${row} min-h-8.5 px-2.5 py-1.5`,
    box: 'size-4',
    label: 'min-w-0 wrap-anywhere',
    none: 'px-4 pb-4 text-sm text-mute',
  },
  form: {
    frame: '',
    find: 'h-9 px-3 focus-visible:-outline-offset-2',
    list: 'max-h-48 p-1',
    row: `${row} min-h-8 px-2 py-1`,
    box: 'size-4',
    label: 'min-w-0 wrap-anywhere',
    none: 'px-3 pb-3 text-sm text-mute',
  },
}
