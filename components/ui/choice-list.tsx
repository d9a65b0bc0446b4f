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

export function ChoiceList<Value extends string | number>({
  choices,
  chosen,
  onChange,
  name,
  words,
  look = 'filter',
  searchableFrom = 8,
  className,
  foot,
}: ChoiceListProps<Value>) {
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
      {choices.length >= searchableFrom && <FindField look={look} label={words.find} text={text} onChange={setText} />}
      <ul className={classes.list}>
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
    find: 'mb-1 h-8.5 shrink-0 border-b border-line-soft bg-transparent px-2.5 text-sm outline-none touch:h-11 touch:text-[1rem]',
    list: 'scroll-thin min-h-0 overflow-y-auto overscroll-contain',
    row: `${row} min-h-8 px-2.5`,
    box: 'size-3.5',
    label: 'tabular min-w-0 flex-1 truncate',
    none: 'px-2.5 py-2 text-sm text-mute',
  },
  panel: {
    frame: 'flex flex-col',
    find: 'h-11 min-w-0 flex-1 bg-transparent text-sm text-ink outline-none touch:text-[1rem]',
    list: 'min-h-0 flex-auto overflow-y-auto overscroll-contain p-1 scroll-thin',
    row: `${row} min-h-8.5 px-2.5 py-1.5`,
    box: 'size-4',
    label: 'min-w-0 wrap-anywhere',
    none: 'px-4 pb-4 text-sm text-mute',
  },
  form: {
    frame: '',
    find: 'h-9 w-full border-b border-line-soft bg-transparent px-3 text-sm focus-visible:-outline-offset-2 touch:h-11 touch:text-[1rem]',
    list: 'max-h-48 overflow-y-auto overscroll-contain p-1 scroll-thin',
    row: `${row} min-h-8 px-2 py-1`,
    box: 'size-4',
    label: 'min-w-0 wrap-anywhere',
    none: 'px-3 pb-3 text-sm text-mute',
  },
}

type FindFieldProps = { look: keyof typeof looks; label: string; text: string; onChange: (text: string) => void }

/** A touch screen is not given the focus: its keyboard would cover the choices. */
function FindField({ look, label, text, onChange }: FindFieldProps) {
  const input = (
    <input
      type="search"
      autoFocus={look !== 'form' && window.matchMedia('(pointer: fine)').matches}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      // A form around it is sent by its own button only.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      placeholder={label}
      aria-label={label}
      className={looks[look].find}
    />
  )
  if (look !== 'panel') return input
  return (
    <label className="flex items-center gap-2 border-b border-line-soft px-3.5 text-faint">
      <Search className="size-4 shrink-0" />
      {input}
    </label>
  )
}
