import { Sparkle } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { ReplyTemplate } from '@/lib/contract/reply-template'
import type { Locale } from '@/lib/i18n/locale'

type TemplateChoiceProps = {
  reply: {
    own: readonly ReplyTemplate[]
    others: readonly ReplyTemplate[]
    suggested: ReplyTemplate | null
    language: Locale
    hasNoTemplates: boolean
  }
  isFixed: boolean
  onChosen: (template: ReplyTemplate) => void
}

/** The one that the question suggests, one press away, and all others: those of its language first. */
export function TemplateChoice({ reply, isFixed, onChosen }: TemplateChoiceProps) {
  const t = useTranslations('reply')
  const id = useId()
  const { own, others, suggested, language, hasNoTemplates } = reply
  const all = [...own, ...others]
  if (all.length === 0) return hasNoTemplates && <p className="px-3.5 pt-2 text-xs text-mute">{t('templatesFailed')}</p>
  const otherLanguage = language === 'sv' ? 'en' : 'sv'
  const options = (templates: readonly ReplyTemplate[]) =>
    templates.map((template) => (
      <option key={template.id} value={template.id} lang={template.language}>
        {template.name}
      </option>
    ))
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft px-3.5 py-1 text-sm">
      <label htmlFor={id} className="w-16 shrink-0 text-faint">
        {t('template')}
      </label>
      <select
        id={id}
        value=""
        disabled={isFixed}
        onChange={(event) => {
          const chosen = all.find((template) => template.id === event.target.value)
          if (chosen !== undefined) onChosen(chosen)
        }}
        className="-ml-1 h-8 min-w-0 flex-[1_1_7rem] bg-transparent text-mute touch:h-11 touch:text-[1rem]"
      >
        <option value="">{t('noTemplate')}</option>
        {options(own)}
        {others.length > 0 && <optgroup label={t(`otherLanguage.${otherLanguage}`)}>{options(others)}</optgroup>}
      </select>
      {suggested !== null && (
        <button
          type="button"
          disabled={isFixed}
          title={t('useSuggested', { name: suggested.name })}
          onClick={() => onChosen(suggested)}
          className="inline-flex max-w-full min-w-0 items-center gap-1.5 rounded-full bg-accent-soft px-2.5 py-0.5 text-xs font-medium hover:bg-hover touch:min-h-10"
        >
          <Sparkle aria-hidden className="size-3 shrink-0 text-accent" />
          <span className="truncate">{t('suggested', { name: suggested.name })}</span>
        </button>
      )}
    </div>
  )
}
