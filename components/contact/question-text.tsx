import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { inAreas } from '@/components/desk/lazy-area'
import { cn } from '@/components/ui/cn'

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

const Fold = inAreas(FoldButton, ['contact'])

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
