import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { withMessages } from '@/components/desk/lazy-area'
import { cn } from '@/components/ui/cn'

type QuestionTextProps = { text: string; isShort?: boolean }

/** Each line has its own writing direction. A text longer than a screen (`isShort`: four lines) is collapsed. */
export function QuestionText({ text, isShort = false }: QuestionTextProps) {
  const t = useTranslations('lead')
  const question = text.trim()
  if (question === '') return <p className="text-faint italic">{t('noQuestion')}</p>
  return <CollapsibleText key={question} text={question} isShort={isShort} />
}

function CollapsibleText({ text, isShort }: Required<QuestionTextProps>) {
  const box = useRef<HTMLParagraphElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const { current } = box
    // Expanded it always fits; what matters is whether it would be collapsed.
    if (current === null || isOpen) return
    const measure = () => setLong(current.scrollHeight > current.clientHeight + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <blockquote className="leading-relaxed">
      <p
        ref={box}
        dir="auto"
        className={cn(
          'text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]',
          !isOpen && (isShort ? 'line-clamp-4' : 'line-clamp-[24]'),
        )}
      >
        {text}
      </p>
      {isLong && <ReadMore isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
    </blockquote>
  )
}

/** Its words belong to the contact page, which most texts do not need. */
const ReadMore = withMessages(ReadMoreButton, ['contact'])

function ReadMoreButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const t = useTranslations('contact.timeline')
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="mt-1 rounded-xs text-sm font-medium text-accent hover:text-accent-strong touch:min-h-11"
    >
      {t(isOpen ? 'readLess' : 'readMore')}
    </button>
  )
}
