'use client'

import { useQuery } from '@tanstack/react-query'
import { MailPlus, Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { templates } from '@/lib/api/templates'
import type { ReplyTemplate } from '@/lib/contract/reply-template'
import { AdminHeader } from './admin-header'
import { TemplatesEditor } from './templates-editor'
import { TemplatesLeave } from './templates-leave'
import { TemplatesList } from './templates-list'
import { useTemplateChoice } from './use-template-choice'

/** The reply templates of each language, one of them open to be changed. `first` is what the server knew. */
export function TemplatesScreen({ first }: { first: ReplyTemplate[] }) {
  const t = useTranslations('templates')
  const { data } = useQuery({ ...templates, initialData: { templates: first } })
  const desk = useTemplateChoice(data.templates)
  const { language, own, open, isNew } = desk
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-4 p-4 desk:px-8 desk:py-7">
      <AdminHeader
        title={t('title')}
        lead={t('lead')}
        action={
          <Button variant="primary" onClick={() => desk.choose(null)}>
            <Plus aria-hidden className="size-4" />
            {t('add')}
          </Button>
        }
      />
      <div className="grid items-start gap-5 desk:grid-cols-[17rem_minmax(0,1fr)]">
        <TemplatesList
          templates={own}
          language={language}
          openId={open?.id ?? null}
          onLanguage={desk.chooseLanguage}
          onOpen={desk.choose}
        />
        {open !== undefined || isNew ? (
          <TemplatesEditor
            key={open?.id ?? `new ${language}`}
            template={open ?? null}
            language={language}
            onUnsaved={desk.setUnsaved}
            onSaved={desk.saved}
            onClose={desk.close}
          />
        ) : (
          <NoneOpen areThere={own.length > 0} />
        )}
      </div>
      <TemplatesLeave name={desk.asksAbout} onStay={desk.stay} onLeave={desk.leave} />
    </div>
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
