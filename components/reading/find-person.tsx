import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { peopleAmong, useFound } from '@/components/palette/palette-found'
import { useSchoolNames } from '@/components/desk/schools'
import { Field, Input } from '@/components/ui/field'
import { nameOf } from '@/lib/inbox/lead-text'

/** Finds a person among the leads by name, e-mail or phone; the text stays out of the address. */
export function FindPerson({ onChoose }: { onChoose: (contact: string) => void }) {
  const t = useTranslations('reading.leads')
  const schools = useSchoolNames()
  const [text, setText] = useState('')
  const { isAsked, isSearching, hasFailed, leads } = useFound(text, true)
  const people = peopleAmong(leads.flatMap(({ items }) => items))
  const choose = (contact: string) => {
    setText('')
    onChoose(contact)
  }
  return (
    <section className="max-w-xl">
      <Field label={t('find')} hint={t('findHint')}>
        {(attributes) => (
          <Input
            {...attributes}
            type="search"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <p role="status" className="mt-2 min-h-5 text-sm text-mute">
        {isSearching && t('searching')}
        {hasFailed && t('searchFailed')}
        {isAsked && !isSearching && !hasFailed && people.length === 0 && t('nobody')}
      </p>
      {people.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
          {people.map((item) => (
            <li key={item.contactId} className="border-b border-line-soft last:border-b-0">
              <button
                type="button"
                onClick={() => choose(item.contactId)}
                className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-4 px-3.5 py-2 text-left text-sm hover:bg-hover"
              >
                <bdi className="font-medium wrap-anywhere">{nameOf(item)}</bdi>
                <span className="text-mute">{schools.byId(item.highSchoolId)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
