import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'

type ControlProps = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }
type LabelProps = { label: string; hint?: string | undefined; error?: string | undefined }
type FieldProps = LabelProps & { children: (control: ControlProps) => ReactNode }

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': note ? `${id}-note` : undefined })}
      {note && (
        <p id={`${id}-note`} className={error ? 'text-xs text-danger' : 'text-xs text-mute'}>
          {note}
        </p>
      )}
    </div>
  )
}

/** On touch screens the text has 16 px, because iOS zooms the page on focus if it has less. */
const inputClass =
  'h-9 w-full rounded-md border border-field-line bg-panel px-3 text-base text-ink transition-colors aria-invalid:border-danger focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:opacity-60 touch:h-11 touch:text-[1rem]'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(inputClass, className)} />
}

export function TextField({ label, hint, error, ...input }: LabelProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...control} {...input} />}
    </Field>
  )
}

type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'onChange'> & {
  options: readonly (readonly [value: Value, text: string])[]
  onChoose: (value: Value) => void
}

export function Select<Value extends string>({ options, onChoose, className, ...select }: SelectProps<Value>) {
  return (
    <span className="relative block">
      <select
        {...select}
        onChange={({ target }) => onChoose(target.value as Value)}
        className={cn(inputClass, 'appearance-none pr-9', className)}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-mute" />
    </span>
  )
}

export function SelectField<Value extends string>({ label, hint, error, ...select }: LabelProps & SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Select {...control} {...select} />}
    </Field>
  )
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  label: ReactNode
  hint?: string
  onChange: (isChecked: boolean) => void
}

export function Checkbox({ label, hint, onChange, className, ...input }: CheckboxProps) {
  return (
    <label className={cn('flex min-h-8 items-center gap-2.5 text-sm touch:min-h-11', className)}>
      <input
        {...input}
        type="checkbox"
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 wrap-anywhere">
        {label}
        {hint && <span className="block text-xs text-mute">{hint}</span>}
      </span>
    </label>
  )
}

export function TextAreaField({ label, hint, error, className, ...area }: LabelProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <textarea {...control} {...area} className={cn(inputClass, 'h-auto! py-2', className)} />}
    </Field>
  )
}
