CREATE SEQUENCE "public"."triage_revision" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"user_id" text,
	"action" text NOT NULL,
	"lead_kind" text,
	"lead_id" text,
	"details" jsonb
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "list_visits" (
	"user_id" text NOT NULL,
	"list" text NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"previous_seen_at" timestamp with time zone,
	CONSTRAINT "list_visits_user_id_list_pk" PRIMARY KEY("user_id","list")
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" bigint NOT NULL,
	"locked_until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "triage" (
	"kind" text NOT NULL,
	"lead_id" text NOT NULL,
	"status" text NOT NULL,
	"assignee_id" text,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text,
	"revision" bigint DEFAULT nextval('triage_revision') NOT NULL,
	CONSTRAINT "triage_kind_lead_id_pk" PRIMARY KEY("kind","lead_id"),
	CONSTRAINT "triage_status" CHECK ("triage"."status" in ('new', 'in-progress', 'handled', 'dismissed'))
);
--> statement-breakpoint
CREATE TABLE "upstream_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "upstream_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sent_at" bigint NOT NULL,
	"finished_at" bigint,
	"purpose" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"schools" jsonb NOT NULL,
	"password_hash" text,
	"disabled" boolean DEFAULT false NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	"session_epoch" integer DEFAULT 0 NOT NULL,
	"activated_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_email_lower" CHECK ("users"."email" = lower("users"."email")),
	CONSTRAINT "users_role" CHECK ("users"."role" in ('staff', 'manager', 'admin'))
);
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_visits" ADD CONSTRAINT "list_visits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triage" ADD CONSTRAINT "triage_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "triage" ADD CONSTRAINT "triage_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_at" ON "activity" USING btree ("at");--> statement-breakpoint
CREATE INDEX "activity_user" ON "activity" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "activity_lead" ON "activity" USING btree ("lead_kind","lead_id","at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_last_at" ON "sign_in_attempts" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "triage_revision_order" ON "triage" USING btree ("revision");--> statement-breakpoint
CREATE INDEX "upstream_requests_sent_at" ON "upstream_requests" USING btree ("sent_at");