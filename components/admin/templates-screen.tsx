'use client'

import { useQuery } from '@tanstack/react-query'
import { MailPlus, Plus } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirmation } from '@/components/ui/dialog-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Segments } from '@/components/ui/segments'
import { templatesQuery } from '@/lib/api/queries'
import type { ReplyTemplate } from '@/lib/contract/reply-template'
import { locales } from '@/lib/i18n/locale'
import { TemplateEditor } from './template-editor'

/** The reply templates of each language, one of them open to be changed. `first` is what the server knew. */
export function TemplatesScreen({ first }: { first: ReplyTemplate[] }) {
  const t = useTranslations('templates')
  const { data } = useQuery({ ...templatesQuery, initialData: { templates: first } })
  const choice = useTemplateChoice(data.templates)
  const { language, own, open, isNew } = choice
  return (
    <div className="page">
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        action={
          <Button variant="primary" onClick={() => choice.choose(null)}>
            <Plus aria-hidden className="size-4" />
            {t('add')}
          </Button>
        }
      />
      <div className="grid grid-cols-1 items-start gap-5 desk:grid-cols-[17rem_minmax(0,1fr)]">
        <TemplateList
          own={own}
          language={language}
          openId={open?.id ?? null}
          onLanguage={choice.chooseLanguage}
          onOpen={choice.choose}
        />
        {open !== undefined || isNew ? (
          <TemplateEditor
            key={open?.id ?? `new ${language}`}
            template={open ?? null}
            language={language}
            onUnsaved={choice.setUnsaved}
            onSaved={choice.saved}
            onClose={choice.close}
          />
        ) : (
          <NoneOpen areThere={own.length > 0} />
        )}
      </div>
      <LeaveDialog name={choice.asksAbout} onStay={choice.stay} onLeave={choice.leave} />
    </div>
  )
}

type Language = ReplyTemplate['language']

/** Which language and template is open. What is written and not saved is not thrown away unasked. */
function useTemplateChoice(all: readonly ReplyTemplate[]) {
  const [language, setLanguage] = useState<Language>(useLocale())
  /** Null: nothing; an id; or a new one, which has none yet. */
  const [choice, setChoice] = useState<{ id: string | null } | null>(null)
  const [unsaved, setUnsaved] = useState<string | null>(null)
  const [wanted, setWanted] = useState<{ go: () => void } | null>(null)
  const own = all.filter((template) => template.language === language)
  const leaveFor = (go: () => void) => (unsaved === null ? go() : setWanted({ go }))
  return {
    language,
    own,
    open: own.find(({ id }) => id === choice?.id),
    isNew: choice !== null && choice.id === null,
    setUnsaved,
    /** A template by its id; null for a new one. */
    choose: (id: string | null) => leaveFor(() => setChoice({ id })),
    chooseLanguage: (next: Language) =>
      leaveFor(() => {
        setLanguage(next)
        setChoice(null)
      }),
    saved: ({ id }: ReplyTemplate) => {
      setUnsaved(null)
      setChoice({ id })
    },
    close: () => {
      setUnsaved(null)
      setChoice(null)
    },
    /** The name of what would be lost, while that is asked about. */
    asksAbout: wanted === null ? null : unsaved,
    stay: () => setWanted(null),
    leave: () => {
      setUnsaved(null)
      setWanted(null)
      wanted?.go()
    },
  }
}

type TemplateListProps = {
  own: readonly ReplyTemplate[]
  language: Language
  openId: string | null
  onLanguage: (language: Language) => void
  onOpen: (id: string) => void
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
          {own.map(({ id, name, subject }) => (
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

function NoneOpen({ areThere }: { areThere: boolean }) {
  const t = useTranslations('templates')
  return (
    <EmptyState icon={<MailPlus />} title={t(areThere ? 'pick' : 'none')}>
      {!areThere && t('noneHint')}
    </EmptyState>
  )
}

type LeaveDialogProps = { name: string | null; onStay: () => void; onLeave: () => void }

/** Asks before what was written and not saved is thrown away. */
function LeaveDialog({ name, onStay, onLeave }: LeaveDialogProps) {
  const t = useTranslations('templates')
  return (
    <Dialog open={name !== null} onClose={onStay} title={t('leaveTitle')}>
      <Confirmation
        text={t('leaveBody', { name: name ?? '' })}
        actions={
          <>
            <Button variant="danger" onClick={onLeave}>
              {t('leave')}
            </Button>
            <Button variant="primary" autoFocus onClick={onStay}>
              {t('stay')}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}
