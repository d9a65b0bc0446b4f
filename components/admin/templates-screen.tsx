'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/headings'
import { templatesQuery } from '@/lib/api/queries'
import type { ReplyTemplate } from '@/lib/contract/templates'
import { TemplateDialog } from './template-dialog'

/** This page is for staff. Administrators find the list on the page of work settings. */
export function TemplatesScreen({ initialTemplates }: { initialTemplates: ReplyTemplate[] }) {
  const t = useTranslations('templates')
  return (
    <div className="page">
      <PageHeader title={t('title')} intro={t('intro')} />
      <TemplateList initialTemplates={initialTemplates} />
    </div>
  )
}

/** Administrators change their own templates and those for everybody, staff only their own. */
export function TemplateList({ initialTemplates }: { initialTemplates: ReplyTemplate[] }) {
  const t = useTranslations('templates')
  const { data } = useQuery({ ...templatesQuery, initialData: { templates: initialTemplates } })
  const [editedTemplate, setEditedTemplate] = useState<ReplyTemplate | 'new' | null>(null)
  const isAdmin = useCurrentUser()?.isAdmin === true
  const listedTemplates = data.templates.filter((template) => isAdmin || template.isOwn)
  return (
    <section aria-label={t('list')} className="flex max-w-2xl flex-col items-start gap-3">
      {listedTemplates.length === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <ul className="card w-full overflow-hidden">
          {listedTemplates.map((template) => (
            <li key={template.id} className="border-b border-line-soft last:border-b-0">
              <button
                type="button"
                onClick={() => setEditedTemplate(template)}
                className="flex min-h-11 w-full flex-wrap items-center gap-x-2 px-4 py-1.5 text-left hover:bg-hover"
              >
                <span lang={template.language} className="min-w-0 truncate font-medium">
                  {template.name}
                </span>
                {template.isOwn && <Badge>{t('own')}</Badge>}
                <span lang={template.language} className="min-w-0 flex-1 basis-40 truncate text-sm text-mute">
                  {template.subject}
                </span>
                <span className="text-xs text-mute">{t(`language.${template.language}`)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Button icon={Plus} text={t('add')} onClick={() => setEditedTemplate('new')} />
      {editedTemplate !== null && (
        <TemplateDialog
          savedTemplate={editedTemplate === 'new' ? null : editedTemplate}
          onClose={() => setEditedTemplate(null)}
        />
      )}
    </section>
  )
}
