'use client'

import { useTranslations } from 'next-intl'
import type { ReplyTemplate } from '@/lib/contract/reply-template'

const LANGUAGES = ['sv', 'en'] as const

type TemplatesListProps = {
  templates: readonly ReplyTemplate[]
  language: ReplyTemplate['language']
  openId: string | null
  onLanguage: (language: ReplyTemplate['language']) => void
  onOpen: (id: string) => void
}

export function TemplatesList({ templates, language, openId, onLanguage, onOpen }: TemplatesListProps) {
  const t = useTranslations('templates')
  return (
    <section aria-label={t('list')} className="flex flex-col gap-3">
      <fieldset className="grid grid-cols-2 rounded-md border border-line bg-side p-0.5">
        <legend className="sr-only">{t('languageLabel')}</legend>
        {LANGUAGES.map((choice) => (
          <label
            key={choice}
            className="flex h-7.5 items-center justify-center rounded-sm text-sm font-medium text-mute has-checked:bg-panel has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent touch:h-11"
          >
            <input
              type="radio"
              name="language"
              checked={language === choice}
              onChange={() => onLanguage(choice)}
              className="sr-only"
            />
            {t(`language.${choice}`)}
          </label>
        ))}
      </fieldset>
      {templates.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
          {templates.map(({ id, name, subject }) => (
            <li key={id} className="border-b border-line-soft last:border-b-0">
              <button
                type="button"
                lang={language}
                aria-current={id === openId || undefined}
                onClick={() => onOpen(id)}
                className="block w-full px-4 py-2.5 text-left hover:bg-hover aria-[current=true]:bg-selected"
              >
                <span className="block truncate font-medium">{name}</span>
                <span className="block truncate text-sm text-mute">{subject}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
