export { ContactNotFound as default } from '@/components/contact/contact-not-found'
