'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import type { NewTemplate, ReplyTemplate } from '@/lib/contract/reply-template'
import { TemplatesFields } from './templates-fields'
import { TemplatesPreview } from './templates-preview'
import { TemplatesRemove } from './templates-remove'
import { useSaveTemplate } from './use-save-template'

type TemplatesEditorProps = {
  /** Null: a new one. */
  template: ReplyTemplate | null
  language: ReplyTemplate['language']
  /** Told the name of what is not saved, or null. */
  onUnsaved: (name: string | null) => void
  onSaved: (template: ReplyTemplate) => void
  onClose: () => void
}

export function TemplatesEditor({ template, language, onUnsaved, onSaved, onClose }: TemplatesEditorProps) {
  const t = useTranslations('templates')
  const kept = { name: template?.name ?? '', subject: template?.subject ?? '', body: template?.body ?? '' }
  const [draft, setDraft] = useState(kept)
  const [isTried, setTried] = useState(false)
  const { save, isPending, isError } = useSaveTemplate(template?.id ?? null, onSaved)
  const isChanged = draft.name !== kept.name || draft.subject !== kept.subject || draft.body !== kept.body
  const unsaved = isChanged ? draft.name.trim() || t('newName') : null
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const set = (change: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...change }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const next: NewTemplate = {
      language,
      name: draft.name.trim(),
      subject: draft.subject.trim(),
      body: draft.body.trim(),
    }
    if (next.name !== '' && next.subject !== '' && next.body !== '') save(next)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-5 desk:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <TemplatesFields draft={draft} language={language} isNew={template === null} isTried={isTried} onChange={set} />
        {isError && (
          <p role="alert" className="text-sm text-danger">
            {t('saveFailed')}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          {template !== null && <TemplatesRemove template={template} onRemoved={onClose} />}
          <span role="status" className="flex-1 text-right text-xs text-mute">
            {isChanged && t('unsaved')}
          </span>
          <Button
            disabled={!isChanged && template !== null}
            onClick={template === null ? onClose : () => setDraft(kept)}
          >
            {t('discard')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} disabled={!isChanged}>
            {t('save')}
          </Button>
        </div>
      </div>
      <TemplatesPreview draft={draft} language={language} />
    </form>
  )
}
