import { useTranslations } from 'next-intl'
import { type FocusEvent, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Field, Input, inputClass } from '@/components/ui/field'
import { PLACEHOLDERS } from '@/lib/contacts/reply-mail'
import type { NewTemplate } from '@/lib/contract/reply-template'

type Draft = Pick<NewTemplate, 'name' | 'subject' | 'body'>

type TemplateFieldsProps = {
  draft: Draft
  language: NewTemplate['language']
  isNew: boolean
  /** Somebody tried to save: what is missing is shown. */
  isTried: boolean
  onChange: (change: Partial<Draft>) => void
}

/** Name, subject and text, and buttons that put in a placeholder where the caret stands. */
export function TemplateFields({ draft, language, isNew, isTried, onChange }: TemplateFieldsProps) {
  const t = useTranslations('templates')
  const caret = useInsertAtCaret()
  const fault = (text: string) => (isTried && text.trim() === '' ? t('missing') : undefined)
  return (
    <>
      <Field label={t('field.name')} hint={t('nameHint')} error={fault(draft.name)}>
        {(attributes) => (
          <Input
            {...attributes}
            maxLength={80}
            value={draft.name}
            autoFocus={isNew}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('field.subject')} error={fault(draft.subject)}>
        {(attributes) => (
          <Input
            {...attributes}
            {...caret.watch((subject) => onChange({ subject }))}
            lang={language}
            maxLength={200}
            value={draft.subject}
            onChange={(event) => onChange({ subject: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('field.body')} error={fault(draft.body)}>
        {(attributes) => (
          <textarea
            {...attributes}
            {...caret.watch((body) => onChange({ body }), true)}
            lang={language}
            rows={12}
            maxLength={4_000}
            value={draft.body}
            onChange={(event) => onChange({ body: event.target.value })}
            className={`${inputClass} h-auto! resize-y py-2 leading-relaxed`}
          />
        )}
      </Field>
      <PlaceholderButtons onInsert={caret.insert} />
    </>
  )
}

function PlaceholderButtons({ onInsert }: { onInsert: (text: string) => void }) {
  const t = useTranslations('templates')
  return (
    <div role="group" aria-label={t('placeholders')} className="flex flex-wrap items-center gap-2 text-sm text-mute">
      <span aria-hidden>{t('placeholders')}</span>
      {PLACEHOLDERS.map((name) => (
        <Button
          key={name}
          size="sm"
          aria-label={t('insert', { name: t(`placeholder.${name}`) })}
          onClick={() => onInsert(`{${name}}`)}
        >
          {t(`placeholder.${name}`)}
        </Button>
      ))}
    </div>
  )
}

type TextField = HTMLInputElement | HTMLTextAreaElement
type Target = { field: TextField; write: (text: string) => void }

/** Puts text where the caret stood last, in whichever of the watched fields had it; at first, at the end of `isFirst`. */
function useInsertAtCaret() {
  const target = useRef<Target | null>(null)
  const watch = (write: (text: string) => void, isFirst = false) => ({
    ref: (field: TextField | null) => {
      if (isFirst && field !== null && target.current === null) target.current = { field, write }
    },
    onFocus: ({ currentTarget }: FocusEvent<TextField>) => {
      target.current = { field: currentTarget, write }
    },
  })
  const insert = (text: string) => {
    if (target.current === null) return
    const { field, write } = target.current
    const isUntouched = document.activeElement !== field && field.selectionEnd === 0
    const start = isUntouched ? field.value.length : (field.selectionStart ?? field.value.length)
    const end = isUntouched ? start : (field.selectionEnd ?? start)
    if (field.value.length - (end - start) + text.length > field.maxLength) return
    write(field.value.slice(0, start) + text + field.value.slice(end))
    field.focus()
    // React writes the value first, which sends the caret to the end.
    requestAnimationFrame(() => field.setSelectionRange(start + text.length, start + text.length))
  }
  return { watch, insert }
}
