import { useTranslations } from 'next-intl'
import { oneLine, openingOf } from '@/lib/inbox/lead-text'

/** Each line has its own writing direction. With `isShort` a longer text is folded under its opening. */
export function QuestionText({ text, isShort = false }: { text: string; isShort?: boolean }) {
  const t = useTranslations('lead')
  const question = text.trim()
  if (question === '') return <p className="text-faint italic">{t('noQuestion')}</p>
  const opening = openingOf(question)
  const whole = (
    <blockquote
      dir="auto"
      className="text-start leading-relaxed wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]"
    >
      {question}
    </blockquote>
  )
  if (!isShort || opening === oneLine(question)) return whole
  return (
    <details>
      <summary dir="auto" className="cursor-pointer text-start leading-relaxed wrap-anywhere touch:min-h-11">
        {opening}
      </summary>
      {whole}
    </details>
  )
}
