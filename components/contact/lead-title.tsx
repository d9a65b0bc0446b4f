import { useTranslations } from 'next-intl'
import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { DeskLink } from '@/components/desk/navigate'
import { withMessages } from '@/components/desk/lazy-area'
import { useSchoolNames } from '@/components/desk/schools'
import { cn } from '@/components/ui/cn'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'

type LeadTitleProps = { kind: LeadKind; lead: LeadItem; isCurrent?: boolean }

/** Opens the lead in the list one is in, with its filters as they are, or in the other list without any. */
export function LeadTitle({ kind, lead, isCurrent = false }: LeadTitleProps) {
  const t = useTranslations('contact.timeline')
  const schools = useSchoolNames()
  const pathname = usePathname()
  const current = useSearchParams()
  const words = t(isQuestion(lead) ? 'question' : 'declaration', { school: schools.of(lead) })
  if (isCurrent) return <span className="font-medium wrap-anywhere">{words}</span>
  const path = LISTS_BY_KIND[kind].href
  const search = new URLSearchParams(pathname === path ? current : undefined)
  search.set('lead', lead.id)
  return (
    <DeskLink
      href={`${path}?${search}`}
      className="rounded-xs font-medium wrap-anywhere decoration-line underline-offset-3 hover:text-accent hover:underline"
    >
      {words}
    </DeskLink>
  )
}

type QuestionTextProps = { text: string; isShort?: boolean }

/** Each line has its own writing direction. A text longer than a screen (`isShort`: four lines) is folded. */
export function QuestionText({ text, isShort = false }: QuestionTextProps) {
  const t = useTranslations('lead')
  const words = text.trim()
  const box = useRef<HTMLParagraphElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const measure = () => {
      // Unfolded it always fits; what matters is whether it would be folded.
      if (!current.matches('[data-open]')) setLong(current.scrollHeight > current.clientHeight + 1)
    }
    const sized = new ResizeObserver(measure)
    sized.observe(current)
    return () => sized.disconnect()
  }, [])
  if (words === '') return <p className="text-faint italic">{t('noQuestion')}</p>
  return (
    <blockquote className="leading-relaxed">
      <p
        ref={box}
        dir="auto"
        data-open={isOpen || undefined}
        className={cn(
          'text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]',
          !isOpen && (isShort ? 'line-clamp-4' : 'line-clamp-[24]'),
        )}
      >
        {words}
      </p>
      {isLong && <Fold isOpen={isOpen} onFold={() => setOpen(!isOpen)} />}
    </blockquote>
  )
}

const Fold = withMessages(FoldButton, ['contact'])

function FoldButton({ isOpen, onFold }: { isOpen: boolean; onFold: () => void }) {
  const t = useTranslations('contact.timeline')
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onFold}
      className="mt-1 rounded-xs text-sm font-medium text-accent hover:text-accent-strong touch:min-h-11"
    >
      {t(isOpen ? 'readLess' : 'readMore')}
    </button>
  )
}
