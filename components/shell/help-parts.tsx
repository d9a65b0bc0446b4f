'use client'

import { type ReactNode, useState } from 'react'
import { Input } from '@/components/ui/field'
import { foldText } from '@/lib/leads/comparable-text'

/** Its labels come with it, so that the other screens need not load them; `found` by the number of parts. */
type Labels = { find: string; parts: string; found: readonly string[] }
type Part = { id: string; title: string; text: string; body: ReactNode }

export function HelpParts({ title, parts, labels }: { title: string; parts: readonly Part[]; labels: Labels }) {
  const [query, setWanted] = useState('')
  const words = foldText(query).split(/\s+/u)
  const isFound = ({ text }: Part) => words.every((word) => foldText(text).includes(word))
  const found = parts.filter(isFound)
  return (
    <div className="flex flex-col gap-6 wide:flex-row-reverse wide:justify-end wide:gap-12">
      <div className="flex flex-col gap-3 wide:sticky wide:top-4 wide:w-56 wide:self-start print:hidden">
        <Input
          type="search"
          autoComplete="off"
          value={query}
          aria-label={labels.find}
          placeholder={labels.find}
          onChange={({ target }) => setWanted(target.value)}
        />
        <p role="status" className="text-sm text-mute empty:hidden">
          {query.trim() !== '' && labels.found[found.length]}
        </p>
        <nav aria-label={labels.parts}>
          <ul className="flex max-w-prose flex-wrap gap-x-4 gap-y-1 text-sm wide:flex-col">
            {found.map(({ id, title: name }) => (
              <li key={id}>
                <a href={`#${id}`} className="inline-block min-h-6 text-accent underline-offset-2 hover:underline">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <article aria-label={title} className="flex min-w-0 max-w-3xl flex-col gap-3 leading-6">
        {parts.map((part) => (
          <section key={part.id} className={isFound(part) ? 'flex flex-col gap-3' : 'hidden'}>
            {part.body}
          </section>
        ))}
      </article>
    </div>
  )
}
