-- Classes by enrolment, codes that admit to them, guardians of pupils.
create table schools (id #key, name text not null);
create table people (id #key, email text not null unique, full_name text, kind text not null default 'student', school_id integer references schools (id));
create table classrooms (id #key, school_id integer not null references schools (id), teacher_id integer references people (id), name text not null);
create table enrollments (id #key, classroom_id integer not null references classrooms (id), person_id integer not null references people (id), grade integer);
create table assignments (id #key, classroom_id integer not null references classrooms (id), author_id integer not null references people (id), title text not null, published_at timestamp);
create table submissions (id #key, assignment_id integer not null references assignments (id), person_id integer not null references people (id), body text, score integer);
create table guardians (guardian_id integer not null references people (id), child_id integer not null references people (id), primary key (guardian_id, child_id));
create table join_codes (id #key, classroom_id integer not null references classrooms (id), code text not null, used_by_id integer references people (id));
insert into schools (id, name) values (101,'o'),(901,'t');
insert into people (id,email,school_id) values (111,'a@x',101),(911,'b@x',901);
insert into classrooms (id,school_id,teacher_id,name) values (131,101,111,'o'),(931,901,911,'t');
insert into enrollments (id,classroom_id,person_id) values (141,131,111),(941,931,911);
insert into assignments (id,classroom_id,author_id,title) values (151,131,111,'o'),(951,931,911,'t');
insert into submissions (id,assignment_id,person_id,body) values (161,151,111,'o'),(961,951,911,'t');
insert into guardians values (911,911);
insert into join_codes (id,classroom_id,code) values (971,931,'x');
