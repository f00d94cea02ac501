-- Names with prefixes and without underscores, no foreign keys, a branch of the user.
create table tbl_user (UserID #key, Login text not null, Email text, RoleID integer, BranchID integer);
create table tbl_role (RoleID #key, RoleName text);
create table tbl_branch (BranchID #key, BranchName text);
create table tbl_invoice (InvoiceID #key, BranchID integer not null, UserID integer not null, Total numeric(10,2));
create table tbl_invoice_line (LineID #key, InvoiceID integer not null, Qty integer);
create table tbl_userrole (UserID integer not null, RoleID integer not null, primary key (UserID, RoleID));
insert into tbl_branch (BranchID,BranchName) values (101,'o'),(901,'t');
insert into tbl_role (RoleID,RoleName) values (1,'admin'),(2,'clerk');
insert into tbl_user (UserID,Login,Email,RoleID,BranchID) values (111,'a','a',2,101),(911,'b','b',1,901);
insert into tbl_invoice values (131,101,111,1),(931,901,911,1);
insert into tbl_invoice_line values (141,131,1),(941,931,1);
insert into tbl_userrole values (911,1);
