import type { TextPart } from '@/lib/inbox/highlighted-lead'

export function HighlightedText({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ start, isMatch, text }) =>
    isMatch ? <mark key={start}>{text}</mark> : <span key={start}>{text}</span>,
  )
}
