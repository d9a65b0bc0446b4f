import { useTranslations } from 'next-intl'
import { cutOpening, toOneLine } from '@/lib/inbox/lead-text'

/** Shows each line in its own writing direction. With `isCollapsible` a long text is folded under its first words. */
export function QuestionText({ text, isCollapsible = false }: { text: string; isCollapsible?: boolean }) {
  const t = useTranslations('lead')
  const question = text.trim()
  if (question === '') return <p className="text-faint italic">{t('noQuestion')}</p>
  const opening = cutOpening(question)
  const fullText = (
    <blockquote
      dir="auto"
      className="text-start leading-relaxed wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]"
    >
      {question}
    </blockquote>
  )
  if (!isCollapsible || opening === toOneLine(question)) return fullText
  return (
    <details>
      <summary dir="auto" className="cursor-pointer text-start leading-relaxed wrap-anywhere touch:min-h-11">
        {opening}
      </summary>
      {fullText}
    </details>
  )
}
