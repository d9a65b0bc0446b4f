'use client'

import { useQuery } from '@tanstack/react-query'
import { MailPlus, Plus } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/dialog-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Segments } from '@/components/ui/segments'
import { templatesQuery } from '@/lib/api/queries'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import { locales } from '@/lib/i18n/locale'
import { isChanged, type OpenTemplate, opened, TemplateEditor } from './template-editor'

type Language = ReplyTemplate['language']
type Shown = { language: Language; open: OpenTemplate | null }

/** The reply templates of each language, one of them open to be changed. `first` is what the server knew. */
export function TemplatesScreen({ first }: { first: ReplyTemplate[] }) {
  const t = useTranslations('templates')
  const { data } = useQuery({ ...templatesQuery, initialData: { templates: first } })
  const [language, setLanguage] = useState<Language>(useLocale())
  const [open, setOpen] = useState<OpenTemplate | null>(null)
  const [wanted, setWanted] = useState<Shown | null>(null)
  const own = data.templates.filter((template) => template.language === language)
  const show = (next: Shown) => {
    setWanted(null)
    setLanguage(next.language)
    setOpen(next.open)
  }
  const ask = (next: Shown) => (open !== null && isChanged(open) ? setWanted(next) : show(next))
  const openOne = (template: ReplyTemplate | null) => ask({ language, open: opened(template) })
  const add = (
    <Button variant="primary" onClick={() => openOne(null)}>
      <Plus aria-hidden className="size-4" />
      {t('add')}
    </Button>
  )
  const list = { own, language, openId: open?.id ?? null, onOpen: openOne }
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={add} />
      <div className="grid grid-cols-1 items-start gap-5 desk:grid-cols-[17rem_minmax(0,1fr)]">
        <TemplateList {...list} onLanguage={(next) => ask({ language: next, open: null })} />
        {open !== null ? (
          <TemplateEditor key={open.id ?? 'new'} open={open} language={language} onOpen={setOpen} />
        ) : (
          <EmptyState icon={<MailPlus />} title={t(own.length > 0 ? 'pick' : 'none')}>
            {own.length === 0 && t('noneHint')}
          </EmptyState>
        )}
      </div>
      {wanted !== null && (
        <ConfirmDialog
          title={t('leaveTitle')}
          text={t('leaveBody', { name: open?.texts.name.trim() || t('newName') })}
          yes={t('leave')}
          no={t('stay')}
          onYes={() => show(wanted)}
          onNo={() => setWanted(null)}
        />
      )}
    </div>
  )
}

type TemplateListProps = {
  own: readonly ReplyTemplate[]
  language: Language
  openId: string | null
  onLanguage: (language: Language) => void
  onOpen: (template: ReplyTemplate) => void
}

function TemplateList({ own, language, openId, onLanguage, onOpen }: TemplateListProps) {
  const t = useTranslations('templates')
  return (
    <section aria-label={t('list')} className="flex flex-col gap-3">
      <Segments
        look="switch"
        label={t('languageLabel')}
        value={language}
        options={locales.map((value) => ({ value, text: t(`language.${value}`) }))}
        onChange={onLanguage}
      />
      {own.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
          {own.map((template) => (
            <li key={template.id} className="border-b border-line-soft last:border-b-0">
              <button
                type="button"
                lang={language}
                aria-current={template.id === openId || undefined}
                onClick={() => onOpen(template)}
                className="block w-full px-4 py-2.5 text-left hover:bg-hover aria-[current=true]:bg-selected"
              >
                <span className="block truncate font-medium">{template.name}</span>
                <span className="block truncate text-sm text-mute">{template.subject}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
