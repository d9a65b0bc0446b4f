import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { peopleQuery } from '@/lib/api/queries'
import { findMentions } from '@/lib/inbox/mentions'

/** What a note says, with the colleagues it names marked. */
export function NoteText({ text }: { text: string }) {
  const { data } = useQuery({ ...peopleQuery, enabled: text.includes('@') })
  const found = findMentions(text, data?.people.map(({ name }) => name) ?? [])
  const parts: ReactNode[] = []
  let from = 0
  for (const { start, end } of found) {
    parts.push(text.slice(from, start))
    parts.push(
      <mark key={start} className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-strong">
        {text.slice(start, end)}
      </mark>,
    )
    from = end
  }
  return (
    <p dir="auto" className="mt-0.5 text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
      {parts}
      {text.slice(from)}
    </p>
  )
}
