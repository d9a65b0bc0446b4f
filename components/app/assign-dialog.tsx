import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { Avatar } from '@/components/ui/avatar'
import { useTextSearch } from '@/components/ui/choice-list'
import { Dialog, rowButtonClass } from '@/components/ui/dialog'
import { LoadingOrFailure } from '@/components/ui/load-failure'
import { schoolPeopleQuery } from '@/lib/api/queries'
import type { Colleague } from '@/lib/contract/user'
import { useCurrentUser } from './current-user'

type AssignDialogProps = {
  count: number
  name?: string | null | undefined
  /** Only users who may see this school are offered; it is undefined for leads of several schools. */
  school?: string | undefined
  assignee: Colleague | null
  onAssign: (person: Colleague | null) => void
  onClose: () => void
}

export function AssignDialog({ count, name, school, assignee, onAssign, onClose }: AssignDialogProps) {
  const t = useTranslations('inbox.assign')
  const ownId = useCurrentUser()?.id
  const peopleQuery = useQuery(schoolPeopleQuery(school))
  const people = peopleQuery.data?.people ?? []
  const ownFirst = people.toSorted((a, b) => Number(b.id === ownId) - Number(a.id === ownId))
  const { text, setText, matches } = useTextSearch(ownFirst, (person) => person.name)
  const choose = (person: Colleague | null) => {
    onClose()
    onAssign(person)
  }
  const chooseFirst = (event: FormEvent) => {
    event.preventDefault()
    if (matches[0]) choose(matches[0])
  }
  return (
    <Dialog onClose={onClose} title={name ? t('titleOne', { name }) : t('title', { count })}>
      {peopleQuery.data === undefined ? (
        <div className="px-5 pb-8">
          <LoadingOrFailure query={peopleQuery} className="h-40" />
        </div>
      ) : (
        <form onSubmit={chooseFirst} className="flex min-h-0 flex-col">
          <input
            type="search"
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
            placeholder={t('find')}
            aria-label={t('find')}
            className="h-10 border-y border-line-soft bg-transparent px-5 text-base outline-none touch:text-[1rem]"
          />
          <ul className="scroll-thin max-h-[50dvh] overflow-y-auto p-2">
            {[...matches, null].map((person) => (
              <li key={person?.id ?? 'nobody'}>
                <button
                  type="button"
                  aria-current={person !== null && person.id === assignee?.id}
                  onClick={() => choose(person)}
                  className={rowButtonClass}
                >
                  {person === null ? (
                    <span aria-hidden className="size-7 rounded-full border border-dashed border-field-line" />
                  ) : (
                    <Avatar name={person.name} size="md" />
                  )}
                  <span className="min-w-0 flex-1 truncate">{person?.name ?? t('nobody')}</span>
                  {person !== null && person.id === ownId && <span className="text-xs text-faint">{t('you')}</span>}
                </button>
              </li>
            ))}
          </ul>
        </form>
      )}
    </Dialog>
  )
}
