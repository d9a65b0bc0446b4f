/** Takes the person to the first field that is not right, once the form says which that is. */
export function showFirstMissing(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
