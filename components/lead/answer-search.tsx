import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useId, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { answerSearch } from '@/lib/contacts/own-answers'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import { foldText } from '@/lib/leads/comparable-text'

const MOST_SHOWN = 5

type Search = { from: number; to: number; query: string; active: number }

/** The text from `from` to `to` is what was typed to find the answer. */
type OnChosen = (answer: ReplyTemplate, typed: { from: number; to: number }) => void

/** A `/` in the text finds an answer by what is typed after it: arrows choose, Enter or Tab takes, Escape leaves it as typed. */
export function useAnswerSearch(answers: readonly ReplyTemplate[], onChosen: OnChosen) {
  const id = useId()
  const [search, setSearch] = useState<Search | null>(null)
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const found = search === null ? [] : matching(answers, search.query)
  const optionId = (at: number) => `${id}-${at}`
  const choose = (answer: ReplyTemplate) => {
    if (search === null) return
    setSearch(null)
    onChosen(answer, search)
  }
  const look = (text: string, caret: number) => {
    const next = answerSearch(text, caret)
    if (next === null) setLeftAt(null)
    setSearch(next === null || next.from === leftAt ? null : { ...next, to: caret, active: 0 })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (search === null || found.length === 0 || event.nativeEvent.isComposing) return
    const act = actionOf(event, search.active, found.length)
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    if (typeof act === 'number') return setSearch({ ...search, active: act })
    const answer = found[search.active]
    if (act === 'take' && answer !== undefined) return choose(answer)
    setLeftAt(search.from)
    setSearch(null)
  }
  const isOpen = search !== null && found.length > 0
  return {
    look,
    field: {
      onKeyDown,
      onBlur: () => setSearch(null),
      'aria-autocomplete': 'list',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? optionId(search.active) : undefined,
    } as const,
    list: isOpen ? { id, found, active: search.active, optionId, choose } : null,
  }
}

function matching(answers: readonly ReplyTemplate[], query: string): ReplyTemplate[] {
  const wanted = foldText(query)
  const hasWord = ({ name }: ReplyTemplate) => ` ${foldText(name)}`.includes(` ${wanted}`)
  const ownFirst = answers.filter(hasWord).toSorted((a, b) => Number(b.isOwn ?? false) - Number(a.isOwn ?? false))
  return ownFirst.slice(0, MOST_SHOWN)
}

function actionOf(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  at: number,
  count: number,
): number | 'take' | 'leave' | null {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at + count - 1) % count
  if (key === 'Escape') return 'leave'
  return (key === 'Enter' || key === 'Tab') && !ctrlKey && !metaKey ? 'take' : null
}

type AnswerListProps = NonNullable<ReturnType<typeof useAnswerSearch>['list']>

export function AnswerList({ id, found, active, optionId, choose }: AnswerListProps) {
  const t = useTranslations('reply.answers')
  return (
    <div id={id} role="listbox" aria-label={t('insert')} className="border-y border-line-soft bg-bg py-1">
      {found.map((answer, at) => (
        <div
          key={answer.id}
          id={optionId(at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          lang={answer.language}
          // The field keeps the focus, and with it the caret.
          onPointerDown={(event) => (event.preventDefault(), choose(answer))}
          className={cn(
            'flex min-h-8 cursor-pointer items-center gap-3 px-3.5 text-sm touch:min-h-11',
            at === active && 'bg-selected',
          )}
        >
          <span className="shrink-0 font-medium">{answer.name}</span>
          <span className="min-w-0 truncate text-faint">{answer.body}</span>
        </div>
      ))}
    </div>
  )
}
